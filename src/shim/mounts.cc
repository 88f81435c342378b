#include "shim/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
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

// A mount point we made: locked (shared) while in use, so that the last user removes it.
struct MadePoint {
  const char* path;
  bool folder;
  int lock;
};
constexpr int kMadeMax = 64;
MadePoint made[kMadeMax];
int made_count = 0;
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

void Remember(const char* path, bool folder) {
  const int lock = open(path, O_RDONLY | O_CLOEXEC);
  if (lock < 0 || made_count == kMadeMax) return;
  flock(lock, LOCK_SH);
  made[made_count++] = {path, folder, lock};
}

bool MakeFile(const char* path) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  close(fd);
  return true;
}

// Makes the parents of `path`, and itself as a folder or a file.
bool MakePoint(const char* path, bool folder) {
  struct stat about{};
  if (stat(path, &about) == 0) return true;
  char parent[4096];
  if (strlen(path) >= sizeof(parent)) return false;
  strcpy(parent, path);
  for (char* slash = strchr(parent + 1, '/'); slash != nullptr; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(parent, 0755) != 0 && errno != EEXIST) return false;
    *slash = '/';
  }
  const bool done = folder ? mkdir(path, 0755) == 0 : MakeFile(path);
  if (done) Remember(path, folder);
  return done || errno == EEXIST;
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
  const char* argv[] = {"mount",     "-t",        "nfs",  "-o", line.read_only ? "ro" : "rw",
                        line.source, line.target, nullptr};
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
  for (int i = made_count - 1; i >= 0; --i) {
    const MadePoint& point = made[i];
    // Still mounted in this namespace, which nothing but this process uses any more.
    umount2(point.path, MNT_DETACH);
    if (flock(point.lock, LOCK_EX | LOCK_NB) != 0) continue;
    if (point.folder)
      rmdir(point.path);
    else
      unlink(point.path);
  }
  made_count = 0;
}

}  // namespace yard::shim
