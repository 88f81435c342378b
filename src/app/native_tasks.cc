#include "app/native_tasks.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include "app/accounts.h"
#include "shim/format.h"

namespace yard::app {
namespace {

namespace fs = std::filesystem;

// For data directories that lie where tasks cannot go, such as root's home.
constexpr std::string_view kFarTasks = "/var/lib/gpuyard-tasks";

bool IsRoot() {
  return geteuid() == 0;
}

// Whether every account may pass through the folder and all above it.
bool IsOpen(const fs::path& folder) {
  for (fs::path at = folder;; at = at.parent_path()) {
    struct stat about{};
    if (stat(at.c_str(), &about) == 0 && (about.st_mode & S_IXOTH) == 0) return false;
    if (at == at.parent_path()) return true;
  }
}

// FNV-1a: the same in every life.
std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::unexpected<Error> Refuse(std::string message, std::string instead) {
  return Fail(Code::kInvalid, "native-tasks: " + std::move(message), std::move(instead));
}

bool IsPersonal(const Result<engine::Account>& account) {
  return account && shim::IsPersonal(account->uid, account->gid);
}

Status CheckOperator(const std::string& name) {
  if (name.empty()) return {};
  Result<engine::Account> account = FindAccount(name);
  if (IsPersonal(account)) return {};
  return Fail(Code::kInvalid,
              fmt::format("operator-account: '{}' is {}", name,
                          account ? "an account of the system" : "no account of this machine"),
              "name an account of a person, or leave it empty");
}

}  // namespace

Status CheckNativeTasks(const Settings& settings) {
  if (settings.Text("engine") != "local") return {};
  const std::string& native = settings.Text("native-tasks");
  const bool is_own = native == "self" || native == "root";
  if (native == "self" && IsRoot())
    return Refuse("'self' would run everybody's work as root",
                  "set it to isolated or owner; to root only if you mean just that");
  if (native == "isolated" && !IsRoot())
    return Refuse("'isolated' needs a server that runs as root",
                  "run it as root, or set it to self");
  Result<Address> listen = ParseAddress(settings.Text("listen"));
  if (is_own && listen && !IsLoopback(*listen))
    return Refuse(fmt::format("'{}' is for one person on one machine, but listen is {}", native,
                              settings.Text("listen")),
                  "set it to isolated or owner, or listen on 127.0.0.1");
  return native == "isolated" ? CheckOperator(settings.Text("operator-account")) : Status();
}

std::string DescribeNativeTasks(const Settings& settings) {
  const std::string& native = settings.Text("native-tasks");
  if (settings.Text("engine") != "local") return "not on this machine";
  if (native == "owner") return "without an image: as the machine account of its owner";
  if (native == "off") return "in containers only";
  if (native == "isolated") {
    const std::string& name = settings.Text("operator-account");
    return "without an image: as a user id of its own for each person" +
           (name.empty() ? std::string() : fmt::format("; yours as {}", name));
  }
  if (IsRoot()) return "without an image: AS ROOT, for one user only";
  return "without an image: as the server's own account, for one user only";
}

std::string OperatorOf(const std::string& caller) {
  if (!IsRoot() || caller.empty()) return "";
  return IsPersonal(FindAccount(caller)) ? caller : "";
}

control::NativeTasks NativeTasksOf(const Settings& settings) {
  using enum control::NativeTasks;
  const std::string& native = settings.Text("native-tasks");
  if (settings.Text("engine") != "local") return kSelf;  // nothing real runs
  if (native == "self" || native == "root") return kSelfAlone;
  if (native == "isolated") return kIsolated;
  return native == "owner" ? kOwner : kOff;
}

engine::RootTasks RootTasksOf(const Settings& settings) {
  return settings.Text("native-tasks") == "root" ? engine::RootTasks::kAllowed
                                                 : engine::RootTasks::kRefused;
}

std::string TaskFolderOf(const Settings& settings) {
  const std::string& given = settings.Text("task-dir");
  return given.empty() ? UsualTaskFolder(settings.Text("data-dir")) : given;
}

std::string UsualTaskFolder(const std::string& data_dir) {
  const fs::path data = fs::absolute(data_dir).lexically_normal();
  if (!IsRoot()) return (data / "tasks").string();
  std::string text = data.string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  if (IsOpen(fs::path(text).parent_path())) return text + "-tasks";
  return fmt::format("{}/{:016x}", kFarTasks, Hash(text));
}

}  // namespace yard::app
