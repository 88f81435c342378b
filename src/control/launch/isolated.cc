// Accounts for people who have none on the machine.
#include <fmt/format.h>

#include "control/commands/bootstrap.h"
#include "control/launch/parts.h"

namespace yard::control {
namespace {

// Neither Debian, nor systemd, nor the containers of an engine use these numbers; containers have
// those below (engine/local/containers/id_space.cc).
constexpr std::uint32_t kFirstUid = 0x7800'0000;
constexpr std::uint32_t kUidMask = 0x07ff'ffff;

// The last bits of an id are random, made by the server, and stay the person's.
std::uint32_t UidOf(const Uuid& id) {
  std::uint32_t bits = 0;
  for (std::size_t i = 12; i < id.bytes.size(); ++i) bits = bits << 8 | id.bytes[i];
  return kFirstUid + (bits & kUidMask);
}

std::size_t CountUsers(const State& state) {
  std::size_t count = 0;
  state.Of<User>().Each([&](const User&) { return ++count < 2; });
  return count;
}

bool IsTaken(const State& state, const User& owner) {
  bool taken = false;
  state.Of<User>().Each([&](const User& user) {
    taken = user.id != owner.id && UidOf(user.id.value) == UidOf(owner.id.value);
    return !taken;
  });
  return taken;
}

}  // namespace

Result<std::optional<engine::Account>> LoneAccount(const LaunchParts& parts) {
  if (CountUsers(parts.state) < 2) return std::optional<engine::Account>();
  return Fail(Code::kPrecondition,
              "this server runs work without an image under its own account, which only a server "
              "with one user does",
              "name an image, or ask an administrator to set native-tasks to isolated or owner");
}

Result<std::optional<engine::Account>> IsolatedAccount(const LaunchParts& parts,
                                                       const LaunchContext& context) {
  const std::string& owner = parts.workload.stamp.created_by;
  if (context.operator_account && owner == kFirstAdministrator) return context.operator_account;
  Ptr<User> user = parts.state.UserByEmail(owner);
  if (!user || IsTaken(parts.state, *user)) {
    return Fail(Code::kPrecondition,
                fmt::format("there is no user id to run the work of {} as", owner),
                "submit it as a person, ask an administrator to set a unixName, or name an image");
  }
  const std::uint32_t uid = UidOf(user->id.value);
  return std::optional(engine::Account{.uid = uid, .gid = uid});
}

}  // namespace yard::control
