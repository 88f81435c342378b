#include "shim/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

#include "shim/mount_points.h"
#include "shim/network_mounts.h"
#include "shim/owners_rights.h"
#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr int kMountsMax = 128;

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

// One mount: what appears, as a tree that is mounted nowhere yet, and where.
struct Part {
  MountLine line;
  int tree = -1;
  MountPoints::Kind kind = MountPoints::Kind::kFolder;

  bool is_network() const { return strcmp(line.kind, "nfs") == 0; }
};
Part parts[kMountsMax];
int part_count = 0;
MountPoints* points = nullptr;
alignas(MountPoints) char room_for_points[sizeof(MountPoints)];

Failure Explain(const char* step, const char* path, int error) {
  if (error == ELOOP)
    return {"cannot mount: name the folder itself, there is a symbolic link in", path, 0};
  if (error == ENOSYS)
    return {"cannot mount: plain tasks get mounts from Linux 5.12 on, not here:", path, 0};
  return {step, path, error};
}

// No set-user-id program and no device works in it, and nothing mounted in it shows elsewhere.
Failure Tame(const Part& part) {
  mount_attr attributes{};
  attributes.attr_set =
      MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (part.line.read_only ? MOUNT_ATTR_RDONLY : 0);
  attributes.propagation = MS_SLAVE;
  if (mount_setattr(part.tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof(attributes)) ==
      0)
    return {};
  return Explain("cannot restrict the mount of", part.line.source, errno);
}

int OpenSource(const Spec& spec, const MountLine& line) {
  // The server's own: its folders lie where no account of a task can write.
  if (strcmp(line.kind, "own") == 0) return open(line.source, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  const OwnersRights rights(spec);
  return rights.taken() ? OpenWithoutLinks(AT_FDCWD, line.source, O_PATH) : -1;
}

Failure TakeSource(const Spec& spec, Part* part) {
  const int source = OpenSource(spec, part->line);
  struct stat about{};
  if (source < 0 || fstat(source, &about) != 0)
    return Explain("cannot mount", part->line.source, errno);
  if (!S_ISDIR(about.st_mode)) part->kind = MountPoints::Kind::kFile;
  part->tree =
      open_tree(source, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE);
  const int error = errno;
  close(source);
  if (part->tree < 0) return Explain("cannot mount", part->line.source, error);
  return Tame(*part);
}

Failure ReadParts(const Spec& spec) {
  if (spec.mounts.count > kMountsMax) return {"the task has too many mounts", "", E2BIG};
  for (int i = 0; i < spec.mounts.count; ++i) {
    Part& part = parts[part_count];
    if (!Cut(spec.mounts.items[i], &part.line)) return {"bad mount", spec.mounts.items[i], 0};
    if (IsSystemFolder(part.line.target))
      return {"cannot mount on a folder of the system:", part.line.target, 0};
    ++part_count;
  }
  return {};
}

Failure NewSpace() {
  if (unshare(CLONE_NEWNS) != 0) return {"cannot make a mount namespace", "", errno};
  if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
    return {"cannot make the mount namespace private", "", errno};
  return {};
}

// In a namespace of their own, which the task never enters.
Failure TakeNetworkSources() {
  bool is_new = false;
  for (int i = 0; i < part_count; ++i) {
    Part& part = parts[i];
    if (!part.is_network()) continue;
    Failure failure = is_new ? Failure{} : NewSpace();
    is_new = true;
    if (failure.step == nullptr)
      failure = MountNetworkFolder({part.line.source, part.line.read_only}, &part.tree);
    if (failure.step == nullptr) failure = Tame(part);
    if (failure.step != nullptr) return failure;
  }
  return {};
}

Failure TakeSources(const Spec& spec) {
  for (int i = 0; i < part_count; ++i) {
    if (parts[i].is_network()) continue;
    const Failure failure = TakeSource(spec, &parts[i]);
    if (failure.step != nullptr) return failure;
  }
  return TakeNetworkSources();
}

Failure Attach(Part* part) {
  const int point = points->Open(part->line.target, part->kind);
  if (point < 0) return Explain("cannot make the mount point", part->line.target, errno);
  const bool attached =
      move_mount(part->tree, "", point, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == 0;
  const int error = errno;
  close(point);
  close(part->tree);
  part->tree = -1;
  return attached ? Failure{} : Explain("cannot mount on", part->line.target, error);
}

Failure Build(const Spec& spec, int* space) {
  Failure failure = TakeSources(spec);
  if (failure.step == nullptr) failure = NewSpace();
  if (failure.step != nullptr) return failure;
  *space = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
  if (*space < 0) return {"cannot hold the mount namespace", "", errno};
  points = new (room_for_points) MountPoints(spec);
  for (int i = 0; i < part_count; ++i) {
    failure = Attach(&parts[i]);
    if (failure.step != nullptr) return failure;
  }
  return {};
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

Failure MakeMounts(const Spec& spec, int folder, int* space) {
  *space = -1;
  if (spec.mounts.count == 0) return {};
  Failure failure = ReadParts(spec);
  if (failure.step != nullptr) return failure;
  const int home = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
  if (home < 0) return {"cannot hold the mount namespace", "", errno};
  failure = Build(spec, space);
  const bool is_back = setns(home, CLONE_NEWNS) == 0 && fchdir(folder) == 0;
  const int error = errno;
  close(home);
  for (int i = 0; i < part_count; ++i)
    if (parts[i].tree >= 0) close(parts[i].tree);
  if (failure.step != nullptr) return failure;
  return is_back ? Failure{} : Failure{"cannot leave the task's mount namespace", "", error};
}

Failure EnterMounts(int space) {
  if (space < 0 || setns(space, CLONE_NEWNS) == 0) return {};
  return {"cannot enter the task's mounts", "", errno};
}

Failure JoinMounts(const Spec& spec, const TaskProcess& process) {
  if (spec.mounts.count == 0) return {};
  Line path;
  path << "/proc/" << process.pid << "/ns/mnt";
  const int fd = open(path.text(), O_RDONLY | O_CLOEXEC);
  // Looked at after it was opened: until then the number was its own.
  if (fd >= 0 && !IsItself(process)) return {"the task has ended", "", 0};
  if (fd < 0 || setns(fd, CLONE_NEWNS) != 0) return {"cannot join the task's mounts", "", errno};
  close(fd);
  return {};
}

void RemoveMountPoints() {
  if (points != nullptr) points->Remove();
}

}  // namespace yard::shim
