#include "engine/local/kept_output.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "engine/local/native/session.h"
#include "shim/format.h"

namespace yard::engine {
namespace {

constexpr std::size_t kLongestName = 64;

bool IsPlainName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

// What follows `folder` in the path; nothing if the path is not in it.
std::optional<std::string> Below(std::string_view path, std::string_view folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
  if (!path.starts_with(folder)) return std::nullopt;
  path.remove_prefix(folder.size());
  if (!path.empty() && path.front() != '/') return std::nullopt;
  while (path.starts_with('/')) path.remove_prefix(1);
  return std::string(path);
}

}  // namespace

std::string OutputPath(const TaskFolder& folder, const Mount& mount) {
  return fmt::format("{}/{}", folder.File(shim::kOutputsName), mount.source);
}

Result<std::string> MakeOutputPath(const TaskFolder& folder, const Mount& mount) {
  if (!IsPlainName(mount.source))
    return Fail(Code::kInvalid, fmt::format("'{}' is no name for an output", mount.source));
  const std::string all = folder.File(shim::kOutputsName);
  // The server's, so that nobody puts a link in the place of one of the folders.
  if (::mkdir(all.c_str(), 0711) != 0 && errno != EEXIST)
    return Fail(Code::kInvalid, fmt::format("cannot make {}: {}", all, std::strerror(errno)));
  return OutputPath(folder, mount);
}

Result<KeptPlace> KeptPlaceOf(const TaskSpec& spec, const TaskFolder& folder,
                              const std::string& path) {
  if (!path.starts_with('/')) return KeptPlace{shim::kWorkName, path};
  for (const Mount& mount : spec.mounts) {
    std::optional<std::string> below;
    if (mount.kind == MountKind::kOutput) below = Below(path, mount.target);
    if (below)
      return KeptPlace{fmt::format("{}/{}", shim::kOutputsName, mount.source), *std::move(below)};
  }
  const std::string own = spec.container ? kOutputTarget : folder.File(shim::kWorkName);
  if (std::optional<std::string> below = Below(path, own))
    return KeptPlace{shim::kWorkName, *std::move(below)};
  return Fail(Code::kPrecondition,
              fmt::format("the task has ended, and '{}' is not in its output folder", path),
              "only what lies in $GPUYARD_OUTPUT and in saved folders is left; a path without a "
              "leading '/' is meant to be there");
}

Result<std::unique_ptr<Session>> KeptReader::Read(const RunningTask& task, const char* verb,
                                                  const std::string& path) const {
  YARD_ASSIGN(KeptPlace kept, KeptPlaceOf(task.spec, task.folder, path));
  SessionSpec session;
  session.spawn.argv = {shim_, verb, task.folder.path(), std::move(kept.place),
                        std::move(kept.path)};
  YARD_ASSIGN(StartedSession started, StartSession(loop_, std::move(session)));
  return std::move(started.session);
}

}  // namespace yard::engine
