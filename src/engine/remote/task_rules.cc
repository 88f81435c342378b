#include "engine/remote/task_rules.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "engine/texts.h"
#include "model/host_paths.h"
#include "shim/format.h"

namespace yard::engine::remote {
namespace {

std::unexpected<Error> Refuse(std::string message) {
  return Fail(Code::kForbidden, std::move(message));
}

// The ids of an image's processes on the machine, where the spec says them.
Status CheckIds(const Account& account) {
  if (!shim::IsPersonal(account.uid, account.gid) ||
      std::ranges::find(account.groups, 0U) != account.groups.end())
    return Refuse(fmt::format("work does not run as the system's user {} of group {}", account.uid,
                              account.gid));
  return {};
}

Status CheckMount(const Mount& mount, const TaskRules& rules) {
  if (mount.kind != MountKind::kHostPath) return {};
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(mount.source, error);
  const MountAccess access = mount.read_only ? MountAccess::kRead : MountAccess::kWrite;
  for (const std::string& path : {mount.source, error ? mount.source : real.string()}) {
    const std::optional<std::string> normal = NormalPath(path);
    if (!normal) return Refuse(fmt::format("'{}' is no path to mount", path));
    if (const auto folder = ClosedFolder(*normal, access, rules.closed))
      return Refuse(fmt::format("'{}' reaches {}, which no work may mount", path, *folder));
  }
  return {};
}

}  // namespace

Status CheckTask(const TaskSpec& spec, const TaskRules& rules) {
  YARD_TRY(CheckTexts(spec));
  if (!spec.account && !spec.container && rules.no_account == TaskRules::NoAccount::kRefused)
    return Refuse("plain processes do not run as root");
  if (spec.account) YARD_TRY(CheckIds(*spec.account));
  if (spec.account && !spec.container) YARD_TRY(rules.check_account(*spec.account));
  for (const Mount& mount : spec.mounts) YARD_TRY(CheckMount(mount, rules));
  return {};
}

}  // namespace yard::engine::remote
