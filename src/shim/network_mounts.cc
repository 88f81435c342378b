#include "shim/network_mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/format.h"

namespace yard::shim {
namespace {

char mount_error[2048];

// All that mount(8) and its helpers write, piece by piece; what does not fit is dropped.
void ReadWords(int from) {
  char dropped[256];
  size_t size = 0;
  for (;;) {
    const size_t room = sizeof(mount_error) - 1 - size;
    const ssize_t got =
        room > 0 ? read(from, mount_error + size, room) : read(from, dropped, sizeof(dropped));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (room > 0) size += static_cast<size_t>(got);
  }
  mount_error[size] = 0;
}

// mount(8) knows the helpers; what it says is what people need to hear.
Failure RunMount(const NetworkFolder& folder) {
  int said[2];
  if (pipe2(said, O_CLOEXEC) != 0) return {"cannot mount", folder.source, errno};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, said[1], 1);
  posix_spawn_file_actions_adddup2(&files, said[1], 2);
  const char* argv[] = {"mount",
                        "-t",
                        "nfs",
                        "-o",
                        folder.read_only ? "ro,nosuid,nodev" : "rw,nosuid,nodev",
                        "--",
                        folder.source,
                        kMountsName,
                        nullptr};
  const char* envp[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, "/usr/bin/mount", &files, nullptr, const_cast<char**>(argv),
                                const_cast<char**>(envp));
  posix_spawn_file_actions_destroy(&files);
  close(said[1]);
  if (error == 0) ReadWords(said[0]);
  close(said[0]);
  if (error != 0) return {"cannot run mount(8) for", folder.source, error};
  int status = 0;
  waitpid(child, &status, 0);
  if (status == 0) return {};
  return {"cannot mount NFS:", mount_error, 0};
}

}  // namespace

Failure MountNetworkFolder(const NetworkFolder& folder, int* tree) {
  if (mkdir(kMountsName, 0700) != 0 && errno != EEXIST)
    return {"cannot make a folder to mount NFS on", "", errno};
  const Failure failure = RunMount(folder);
  if (failure.step == nullptr) {
    *tree = open_tree(AT_FDCWD, kMountsName, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    const int error = errno;
    umount2(kMountsName, MNT_DETACH | UMOUNT_NOFOLLOW);
    errno = error;
    if (*tree < 0) return {"cannot mount", folder.source, errno};
  }
  rmdir(kMountsName);
  return failure;
}

}  // namespace yard::shim
