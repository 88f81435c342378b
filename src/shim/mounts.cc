#include "shim/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/text.h"

namespace yard::shim {
namespace {

// A mount point, or a folder above one, that some task made: locked (shared) by all who use it, so
// that the last of them removes it. The kernel takes a mount away with its point.
struct MadePoint {
  char* path;
  bool folder;
  int lock;
};
constexpr int kMadeMax = 256;
MadePoint made[kMadeMax];
int made_count = 0;
// The mark of what tasks make, there from the first moment: where only the owner may write, the
// sticky bit means nothing else.
constexpr mode_t kMark = S_ISVTX;
char mount_error[512];

struct MountLine {
  const char* kind;
  bool read_only;
  const char* source;
  const char* target;
};

// "<kind> <ro|rw>\t<source>\t<target>"; cuts the line up.
bool Cut(char* line, MountLine* cut) {
  char* options = strchr(line, ' ');
  char* source = options == nullptr ? nullptr : strchr(options, '\t');
  char* target = source == nullptr ? nullptr : strrchr(source, '\t');
  if (target == nullptr || target == source) return false;
  *options++ = *source++ = *target++ = 0;
  *cut = {line, strcmp(options, "ro") == 0, source, target};
  return true;
}

bool IsMarked(const struct stat& about) {
  return (about.st_mode & kMark) != 0 && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
         about.st_uid == geteuid();
}

bool MakeFile(const char* path) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644 | kMark);
  if (fd < 0) return false;
  close(fd);
  return true;
}

// Locks what is there if a task made it. False if it is not there any more.
bool Hold(const char* path) {
  struct stat about{};
  if (stat(path, &about) != 0) return false;
  if (!IsMarked(about)) return true;
  struct stat locked{};
  const int lock = open(path, O_RDONLY | O_CLOEXEC);
  const bool same = lock >= 0 && flock(lock, LOCK_SH) == 0 && fstat(lock, &locked) == 0 &&
                    stat(path, &about) == 0 && about.st_ino == locked.st_ino &&
                    about.st_dev == locked.st_dev;
  if (same) made[made_count++] = {strdup(path), S_ISDIR(about.st_mode), lock};
  if (!same && lock >= 0) close(lock);
  return same;
}

// Makes a folder or a file unless it is there. Its last user may be removing it right now.
bool MakeOne(const char* path, bool folder) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries && made_count < kMadeMax; ++i) {
    const bool done = folder ? mkdir(path, 0755 | kMark) == 0 : MakeFile(path);
    if (!done && errno != EEXIST) return false;
    if (Hold(path)) return true;
  }
  if (made_count == kMadeMax) errno = EMFILE;
  return false;
}

// Makes the parents of `path`, and itself as a folder or a file.
bool MakePoint(const char* path, bool folder) {
  char parent[4096];
  if (strlen(path) >= sizeof(parent)) return false;
  strcpy(parent, path);
  for (char* slash = strchr(parent + 1, '/'); slash != nullptr; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (!MakeOne(parent, true)) return false;
    *slash = '/';
  }
  return MakeOne(path, folder);
}

struct MountAttributes {  // mount_attr of the kernel
  std::uint64_t set, clear, propagation, userns;
};

Failure MakeReadOnly(const char* target) {
  constexpr std::uint64_t kReadOnly = 1;
  constexpr unsigned kRecursive = 0x8000;
  MountAttributes attributes{kReadOnly, 0, 0, 0};
  if (syscall(SYS_mount_setattr, AT_FDCWD, target, kRecursive, &attributes, sizeof(attributes)) ==
      0)
    return {};
  if (mount(nullptr, target, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) == 0) return {};
  return {"cannot make the mount read-only", target, errno};
}

Failure Bind(const MountLine& line) {
  struct stat about{};
  if (stat(line.source, &about) != 0) return {"cannot mount", line.source, errno};
  if (!MakePoint(line.target, S_ISDIR(about.st_mode)))
    return {"cannot make the mount point", line.target, errno};
  if (mount(line.source, line.target, nullptr, MS_BIND | MS_REC, nullptr) != 0)
    return {"cannot mount on", line.target, errno};
  return line.read_only ? MakeReadOnly(line.target) : Failure{};
}

// By mount(8), which knows the helpers; what it says is what people need to hear.
Failure MountNfs(const MountLine& line) {
  if (!MakePoint(line.target, true)) return {"cannot make the mount point", line.target, errno};
  int said[2];
  if (pipe2(said, O_CLOEXEC) != 0) return {"cannot mount", line.source, errno};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, said[1], 1);
  posix_spawn_file_actions_adddup2(&files, said[1], 2);
  const char* argv[] = {"mount", "-t",        "nfs",       "-o",   line.read_only ? "ro" : "rw",
                        "--",    line.source, line.target, nullptr};
  const char* envp[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "mount", &files, nullptr, const_cast<char**>(argv),
                                 const_cast<char**>(envp));
  close(said[1]);
  if (error != 0) return {"cannot run mount(8) for", line.source, error};
  const ssize_t got = read(said[0], mount_error, sizeof(mount_error) - 1);
  mount_error[got > 0 ? got : 0] = 0;
  close(said[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status == 0) return {};
  return {"cannot mount NFS:", mount_error, 0};
}

}  // namespace

void RemoveSharedMounts(const Spec& spec) {
  for (int i = 0; i < spec.mounts.count; ++i) {
    MountLine line{};
    if (!Cut(spec.mounts.items[i], &line)) continue;
    umount2(line.target, MNT_DETACH | UMOUNT_NOFOLLOW);
    rmdir(line.target);
  }
}

Failure MakeMounts(const Spec& spec) {
  if (spec.mounts.count == 0) return {};
  if (unshare(CLONE_NEWNS) != 0) return {"cannot make a mount namespace", "", errno};
  if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
    return {"cannot make the mount namespace private", "", errno};
  for (int i = 0; i < spec.mounts.count; ++i) {
    MountLine line{};
    if (!Cut(spec.mounts.items[i], &line)) return {"bad mount", spec.mounts.items[i], 0};
    const Failure failure = strcmp(line.kind, "nfs") == 0 ? MountNfs(line) : Bind(line);
    if (failure.step != nullptr) return failure;
  }
  return {};
}

Failure JoinMounts(const Spec& spec, int pid) {
  if (spec.mounts.count == 0) return {};
  Line path;
  path << "/proc/" << pid << "/ns/mnt";
  const int fd = open(path.text(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || setns(fd, CLONE_NEWNS) != 0) return {"cannot join the task's mounts", "", errno};
  close(fd);
  return {};
}

void RemoveMountPoints() {
  while (made_count > 0) {
    const MadePoint& point = made[--made_count];
    // Still mounted in this namespace, which nothing but this process uses any more.
    umount2(point.path, MNT_DETACH);
    // Who tries in vain has given up its own lock: one of the others succeeds.
    if (flock(point.lock, LOCK_EX | LOCK_NB) == 0)
      point.folder ? rmdir(point.path) : unlink(point.path);
    close(point.lock);
    free(point.path);
  }
}

}  // namespace yard::shim
