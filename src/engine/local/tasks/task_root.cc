#include "engine/local/tasks/task_root.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace yard::engine {
namespace {

// Tasks run as their owners, who must be able to pass, not to look around; and a folder that
// somebody else has put there is nothing to keep tasks in.
Status MakePassage(const std::string& path) {
  struct stat about{};
  if (::mkdir(path.c_str(), 0711) != 0 && errno != EEXIST)
    return Fail(Code::kUnavailable, fmt::format("cannot make {}: {}", path, std::strerror(errno)));
  if (::lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == ::geteuid() &&
      ::chmod(path.c_str(), 0711) == 0)
    return {};
  return Fail(Code::kUnavailable, fmt::format("{} is not a folder of the server's account", path),
              "remove it, or set task-dir to another folder");
}

}  // namespace

Status MakeTaskRoot(const std::string& root) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(root).parent_path(), ignored);
  YARD_TRY(MakePassage(root));
  return MakePassage(root + "/tasks");
}

}  // namespace yard::engine
