#include "engine/local/containers/id_space.h"

#include <string_view>

#include <fmt/format.h>

namespace yard::engine::containers {
namespace {

// Up to 0x77ff'ffff. The numbers above are of people without an account
// (control/launch/isolated.cc): no container has them.
constexpr std::uint32_t kFirstRange = 0x7000'0000;
constexpr std::uint64_t kRanges = 2048;

bool NamesAnId(const TaskSpec& spec) {
  return spec.account && spec.account->uid != 0;
}

}  // namespace

IdSpace IdSpaceOf(const TaskSpec& spec, const DaemonFacts& facts) {
  if (facts.rootless || facts.remapped) return IdSpace::kDaemons;
  if (NamesAnId(spec) || facts.kind != DaemonKind::kPodman) return IdSpace::kMachine;
  return IdSpace::kMapped;
}

std::uint32_t FirstId(const TaskSpec& spec) {
  // What stands before the slash is the project, whose volumes go by its name too.
  std::string_view project = std::string_view(spec.title).substr(0, spec.title.find('/'));
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a: the same in every life of the server
  for (char c : project) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return kFirstRange + static_cast<std::uint32_t>(hash % kRanges) * kIdsOfContainer;
}

Account OwnerOnMachine(const TaskSpec& spec, const DaemonFacts& facts) {
  const IdSpace ids = IdSpaceOf(spec, facts);
  // In the daemon's namespace the numbers are its own, and its account owns what the image's
  // root is.
  if (ids == IdSpace::kDaemons) return spec.account.value_or(Account{});
  if (NamesAnId(spec)) return *spec.account;
  return {.uid = FirstId(spec), .gid = FirstId(spec)};
}

Status RequireCapabilities(const TaskSpec& spec, const DaemonFacts& facts) {
  const bool asks = spec.container && !spec.container->add_capabilities.empty();
  if (!asks || IdSpaceOf(spec, facts) != IdSpace::kMachine) return {};
  if (NamesAnId(spec))
    return Fail(Code::kInvalid, "a container with an id of the machine has no capabilities",
                "leave out runAsUid, or the capabilities");
  return Fail(Code::kInvalid,
              "the container daemon of this machine has no user namespaces, so containers have no "
              "capabilities",
              "ask an operator for podman, or for docker with userns-remap");
}

std::string UserInside(const TaskSpec& spec, IdSpace ids) {
  if (spec.account && (ids != IdSpace::kMachine || NamesAnId(spec)))
    return fmt::format("{}:{}", spec.account->uid, spec.account->gid);
  return ids == IdSpace::kMachine ? fmt::format("{0}:{0}", FirstId(spec)) : std::string();
}

}  // namespace yard::engine::containers
