#include "engine/local/native/environment.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>

#include "shim/format.h"

namespace yard::engine {
namespace {

AccountNames LookUp(std::uint32_t uid) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr)
    return {std::to_string(uid), "", "/bin/sh"};
  return {found->pw_name, found->pw_dir, found->pw_shell};
}

void Put(std::vector<Variable>& all, const Variable& variable) {
  auto same = std::ranges::find(all, variable.name, &Variable::name);
  if (same == all.end()) {
    all.push_back(variable);
  } else {
    *same = variable;
  }
}

}  // namespace

AccountNames NamesOf(std::uint32_t uid) {
  // Reading the accounts costs as much as making a folder, and there are few of them.
  static std::mutex mutex;
  static std::map<std::uint32_t, AccountNames> known;
  std::lock_guard hold(mutex);
  auto found = known.find(uid);
  if (found == known.end()) found = known.emplace(uid, LookUp(uid)).first;
  return found->second;
}

std::vector<Variable> EnvironmentOf(const TaskSpec& spec, const TaskFolder& folder,
                                    const std::string& path, const std::vector<Variable>& fixed) {
  const AccountNames names = NamesOf(spec.account ? spec.account->uid : ::geteuid());
  std::vector<Variable> all = {
      {"PATH", path},
      {"HOME", names.home.empty() ? folder.File(shim::kWorkName) : names.home},
      {"USER", names.user},
      {"LOGNAME", names.user},
      {"SHELL", names.shell},
      {"LANG", "C.UTF-8"},
      {"TMPDIR", folder.File(shim::kTmpName)},
      {"GPUYARD_OUTPUT", folder.File(shim::kWorkName)}};
  if (spec.tty) all.push_back({"TERM", "xterm-256color"});
  for (const Variable& variable : spec.variables) Put(all, variable);
  for (const Variable& variable : fixed) Put(all, variable);
  return all;
}

}  // namespace yard::engine
