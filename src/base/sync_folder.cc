#include "base/sync_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/fd.h"

namespace yard {

Status SyncFolder(const std::string& path) {
  UniqueFd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0 && fsync(folder.get()) == 0) return {};
  return Fail(Code::kUnavailable, fmt::format("cannot sync {}: {}", path, std::strerror(errno)),
              "check the free space and the permissions there");
}

}  // namespace yard
