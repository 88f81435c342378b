#include "app/separation.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/accounts.h"
#include "app/engines.h"
#include "app/native_tasks.h"
#include "base/log.h"
#include "control/auth/machine_accounts.h"
#include "engine/remote/serve_engine.h"
#include "shim/filter.h"

namespace yard::app {
namespace {

constexpr std::uint32_t kFirstIsolated = 0x7800'0000;  // control/launch/isolated.cc
constexpr int kLockTries = 100;
constexpr int kLockPauseMs = 50;
constexpr int kEndTries = 1000;
constexpr int kEndPauseMs = 5;
constexpr unsigned kCapabilitiesMost = 64;

std::unexpected<Error> Cannot(std::string_view what) {
  return Fail(Code::kUnavailable, fmt::format("cannot {}: {}", what, std::strerror(errno)),
              "set server-account to root to do without");
}

std::string NameOf(std::uint32_t uid) {
  std::vector<char> buffer(1 << 16);
  passwd entry{};
  passwd* found = nullptr;
  getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found);
  return found == nullptr ? std::string() : found->pw_name;
}

// Exactly an account that may run work, as the machine has it now; or an id that no account has,
// where people without one get theirs.
Status CheckAccount(const control::MachineAccounts& accounts, const engine::Account& asked,
                    control::NativeTasks native) {
  const std::string name = NameOf(asked.uid);
  if (name.empty()) {
    const bool is_isolated = native == control::NativeTasks::kIsolated &&
                             asked.uid >= kFirstIsolated && asked.gid == asked.uid &&
                             asked.groups.empty();
    return is_isolated ? Status()
                       : Fail(Code::kForbidden, fmt::format("user {} may not run work", asked.uid));
  }
  YARD_ASSIGN(engine::Account account, control::UsableAccount(accounts, name));
  std::vector<std::uint32_t> groups = asked.groups;
  std::ranges::sort(groups);
  std::ranges::sort(account.groups);
  if (account.gid == asked.gid && std::ranges::includes(account.groups, groups)) return {};
  return Fail(Code::kForbidden, fmt::format("account '{}' is not in these groups", name));
}

// A server that was killed leaves its engine for a moment, and that one holds the tasks' folder.
Result<std::unique_ptr<engine::Engine>> OpenPatiently(const Settings& settings) {
  Result<std::unique_ptr<engine::Engine>> opened = OpenEngine(settings);
  for (int i = 0; i < kLockTries; ++i) {
    if (opened || opened.error().code != Code::kConflict) break;
    ::poll(nullptr, 0, kLockPauseMs);
    opened = OpenEngine(settings);
  }
  return opened;
}

// The library of the GPUs may load their driver while the engine opens; nothing does later.
Result<std::unique_ptr<engine::Engine>> OpenWithLess(const Settings& settings) {
  YARD_ASSIGN(std::unique_ptr<engine::Engine> opened, OpenPatiently(settings));
  const shim::Failure failed = shim::TakeAdministrationAway();
  if (failed.step == nullptr) return opened;
  return Fail(Code::kInternal, fmt::format("{}: {}", failed.step, std::strerror(failed.error)));
}

Status RunEngine(const Settings& settings, UniqueFd control, const ServerAccount& server) {
  YARD_ASSIGN(control::MachineAccounts accounts, MachineAccountsOf(settings));
  accounts.server_uid = server.uid;
  const control::NativeTasks native = NativeTasksOf(settings);
  engine::ServedEngine served{.open = [&] { return OpenWithLess(settings); },
                              .resolve_path = ResolvePath,
                              .closed = DaemonFolders(settings),
                              .rules = {}};
  served.rules.check_account = [accounts, native](const engine::Account& asked) {
    return CheckAccount(accounts, asked, native);
  };
  served.rules.closed = OwnFolders(settings, served.closed);
  engine::ServeEngine(std::move(control), std::move(served));
  return {};
}

[[noreturn]] void BecomeEngine(const Settings& settings, UniqueFd control,
                               const ServerAccount& server) {
  prctl(PR_SET_NAME, "gpuyard-engine", 0, 0, 0);
  const Status ran = RunEngine(settings, std::move(control), server);
  if (!ran) log::Error("the engine's process ends", {{"why", ran.error().message}});
  std::_Exit(ran ? 0 : 1);
}

// Whether a listener needs the right to ports below 1024.
enum class LowPorts { kNone, kSome };

bool IsLowPort(const std::string& address) {
  const Result<Address> parsed = ParseAddress(address);
  return parsed && parsed->port > 0 && parsed->port < 1024;
}

// Everything but, where a listener needs it, the right to low ports.
bool DropCapabilities(LowPorts ports) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (ports == LowPorts::kSome) data[0].effective = data[0].permitted = 1U << CAP_NET_BIND_SERVICE;
  return syscall(SYS_capset, &header, data) == 0;
}

// In a view of the file system that is this process's own, a closed folder is covered by an empty
// one that shows the way to the data directory and nothing else.
Status OpenWay(const std::string& closed, const std::string& data) {
  const UniqueFd tree(open_tree(AT_FDCWD, data.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  if (!tree) return Cannot("take the data directory along");
  if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
    return Cannot("make a view of the file system for the server");
  constexpr unsigned long kTame = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  if (mount("gpuyard", closed.c_str(), "tmpfs", kTame, "mode=0755,size=64k") != 0)
    return Cannot("cover " + closed);
  std::error_code error;
  std::filesystem::create_directories(data, error);
  if (error || move_mount(tree.get(), "", AT_FDCWD, data.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0)
    return Cannot("show the server its data directory");
  return {};
}

Status GiveUp(const ServerAccount& account, LowPorts ports, std::optional<std::uint32_t> group) {
  const gid_t reads = group.value_or(0);
  if (prctl(PR_SET_KEEPCAPS, ports == LowPorts::kSome ? 1 : 0, 0, 0, 0) != 0)
    return Cannot("keep a capability");
  // The bounding set needs a capability, so it goes before the rest.
  for (unsigned i = 0; i < kCapabilitiesMost; ++i)
    if (prctl(PR_CAPBSET_DROP, i, 0, 0, 0) != 0 && errno != EINVAL)
      return Cannot("give up capabilities");
  if (setgroups(group ? 1 : 0, &reads) != 0 ||
      setresgid(account.gid, account.gid, account.gid) != 0 ||
      setresuid(account.uid, account.uid, account.uid) != 0)
    return Cannot("take the server's account");
  if (!DropCapabilities(ports) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return Cannot("give up privileges");
  if (setuid(0) == 0 || seteuid(0) == 0)
    return Fail(Code::kInternal, "the server could become root again");
  return {};
}

// Nothing for an engine that needs no privileges.
Result<UniqueFd> StartEngine(const Settings& settings, const ServerAccount& account) {
  if (settings.Text("engine") != "local") return UniqueFd();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Cannot("make a socket for the engine's process");
  UniqueFd ours(ends[0]);
  UniqueFd theirs(ends[1]);
  const pid_t pid = ::fork();
  if (pid < 0) return Cannot("start the engine's process");
  if (pid == 0) {
    ours.Reset();
    BecomeEngine(settings, std::move(theirs), account);
  }
  return ours;
}

}  // namespace

void AwaitEngine() {
  for (int i = 0; i < kEndTries; ++i) {
    if (::waitpid(-1, nullptr, WNOHANG) != 0) return;
    ::poll(nullptr, 0, kEndPauseMs);
  }
  log::Warning("the engine's process has not ended yet");
}

Result<UniqueFd> Separate(const Settings& settings, const ServerAccount& account,
                          std::optional<std::uint32_t> group) {
  YARD_TRY(GiveDataDirectory(settings.Text("data-dir"), account));
  YARD_ASSIGN(UniqueFd process, StartEngine(settings, account));
  const std::string data =
      std::filesystem::absolute(settings.Text("data-dir")).lexically_normal().string();
  if (const auto closed = ClosedOnTheWay(data, account)) YARD_TRY(OpenWay(*closed, data));
  const bool low = IsLowPort(settings.Text("listen")) || IsLowPort(settings.Text("tools-listen"));
  YARD_TRY(GiveUp(account, low ? LowPorts::kSome : LowPorts::kNone, group));
  return process;
}

}  // namespace yard::app
