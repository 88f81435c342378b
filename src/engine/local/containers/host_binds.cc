#include "engine/local/containers/host_binds.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/fd.h"

namespace yard::engine::containers {
namespace {

std::unexpected<Error> Refuse(const Mount& mount) {
  const char* reason = errno == ELOOP ? "a symbolic link is in its path" : std::strerror(errno);
  return Fail(Code::kInvalid, fmt::format("cannot mount '{}' on '{}': {} on this node",
                                          mount.source, mount.target, reason));
}

UniqueFd OpenItself(const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return UniqueFd(
      static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
}

bool MakePoint(int source, const std::string& point) {
  struct stat about{};
  if (::fstat(source, &about) != 0) return false;
  if (S_ISDIR(about.st_mode)) return ::mkdir(point.c_str(), 0755) == 0 || errno == EEXIST;
  return static_cast<bool>(UniqueFd(::open(point.c_str(), O_CREAT | O_RDONLY | O_CLOEXEC, 0600)));
}

}  // namespace

Status ShowHostPath(const Mount& mount, const std::string& point) {
  UniqueFd source = OpenItself(mount.source);
  if (!source || !MakePoint(source.get(), point)) return Refuse(mount);
  UniqueFd tree(::open_tree(source.get(), "",
                            AT_EMPTY_PATH | AT_RECURSIVE | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  if (mount.read_only) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  attributes.propagation = MS_PRIVATE;
  if (!tree ||
      ::mount_setattr(tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes,
                      sizeof attributes) != 0 ||
      ::move_mount(tree.get(), "", AT_FDCWD, point.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0)
    return Refuse(mount);
  return {};
}

bool IsMountPoint(const std::string& path) {
  struct statx about{};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, 0, &about) != 0)
    return false;
  return (about.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

}  // namespace yard::engine::containers
