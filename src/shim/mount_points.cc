#include "shim/mount_points.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/owners_rights.h"
#include "shim/text.h"

namespace yard::shim {
namespace {

// The mark of what tasks make, there from the first moment: where only the owner may write, the
// sticky bit means nothing else.
constexpr mode_t kMark = S_ISVTX;
constexpr int kEntriesMax = 4096;

bool IsMarked(const struct stat& about, uid_t owner) {
  return (about.st_mode & kMark) != 0 && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
         about.st_uid == owner;
}

bool MakeEntry(int parent, const char* name, MountPoints::Kind kind, mode_t mark) {
  const bool made = kind == MountPoints::Kind::kFolder
                        ? mkdirat(parent, name, 0755 | mark) == 0
                        : mknodat(parent, name, S_IFREG | 0644 | mark, 0) == 0;
  return made || errno == EEXIST;
}

// A private, empty file system that is mounted nowhere yet.
int MakePrivateFolder() {
  const int context = fsopen("tmpfs", FSOPEN_CLOEXEC);
  if (context < 0) return -1;
  int made = -1;
  if (fsconfig(context, FSCONFIG_SET_STRING, "mode", "0755", 0) == 0 &&
      fsconfig(context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) == 0)
    made = fsmount(context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
  const int error = errno;
  close(context);
  errno = error;
  return made;
}

bool CopyLink(int from, int to, const char* name) {
  char target[4096];
  const ssize_t size = readlinkat(from, name, target, sizeof(target) - 1);
  if (size < 0) return errno == ENOENT;
  target[size] = 0;
  return symlinkat(target, to, name) == 0;
}

// Shows the entry of `from` in `to`, with all that is mounted below it.
bool ShowEntry(int from, int to, const char* name) {
  struct stat about{};
  if (fstatat(from, name, &about, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT;
  if (S_ISLNK(about.st_mode)) return CopyLink(from, to, name);
  const int tree = open_tree(
      from, name,
      OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT);
  if (tree < 0) return errno == ENOENT;
  const auto kind = S_ISDIR(about.st_mode) ? MountPoints::Kind::kFolder : MountPoints::Kind::kFile;
  const bool shown =
      MakeEntry(to, name, kind, 0) && move_mount(tree, "", to, name, MOVE_MOUNT_F_EMPTY_PATH) == 0;
  const int error = errno;
  close(tree);
  errno = error;
  return shown;
}

bool ShowEntries(DIR* entries, int from, int to) {
  int shown = 0;
  while (const dirent* entry = readdir(entries)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (++shown > kEntriesMax) {
      errno = E2BIG;
      return false;
    }
    if (!ShowEntry(from, to, entry->d_name)) return false;
  }
  return true;
}

bool IsSame(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

// Whether the name still stands for what was made, with nothing in it.
bool IsStillThere(int parent, const char* name, int self) {
  struct stat about{};
  struct stat made{};
  return fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && fstat(self, &made) == 0 &&
         IsSame(about, made) && (S_ISDIR(made.st_mode) || made.st_size == 0);
}

// Whether `path` is `folder` or below it. Both begin with a slash and have no double ones.
bool IsIn(const char* path, const char* folder) {
  const std::size_t size = strlen(folder);
  return strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == 0);
}

}  // namespace

int OpenWithoutLinks(int folder, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(syscall(SYS_openat2, folder, path, &how, sizeof(how)));
}

bool IsSystemFolder(const char* path) {
  constexpr const char* kSystem[] = {"/bin",   "/boot",  "/dev",    "/etc",  "/lib",
                                     "/lib32", "/lib64", "/libx32", "/proc", "/root",
                                     "/run",   "/sbin",  "/sys",    "/usr",  "/var"};
  Line plain;  // without double and last slashes
  for (const char* at = path; *at != 0; ++at)
    if (*at != '/' || (at[1] != '/' && at[1] != 0)) plain.Add(at, 1);
  if (plain.size() == 0) return true;
  if (IsIn(plain.text(), "/var/tmp") && !IsIn("/var/tmp", plain.text())) return false;
  for (const char* folder : kSystem)
    if (IsIn(plain.text(), folder)) return true;
  return false;
}

MountPoints::MountPoints(const Spec& spec)
    : spec_(spec), root_(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

int MountPoints::Find(int parent, const char* name) const {
  const OwnersRights rights(spec_);
  return rights.taken() ? OpenWithoutLinks(parent, name, O_PATH) : -1;
}

int MountPoints::Open(const char* target, Kind kind) {
  char path[4096];
  if (strlen(target) >= sizeof(path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(path, target);
  depth_ = 0;
  int at = fcntl(root_, F_DUPFD_CLOEXEC, 0);
  char* rest = nullptr;
  for (char* name = strtok_r(path, "/", &rest); name != nullptr && at >= 0; ++depth_) {
    char* next = strtok_r(nullptr, "/", &rest);
    int found = -1;
    errno = EINVAL;
    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
      found = Step(&at, name, next != nullptr ? Kind::kFolder : kind);
    const int error = errno;
    close(at);
    errno = error;
    at = found;
    name = next;
  }
  return at;
}

// The entry `name` of the folder, made if it is missing. Its last user may be removing it right
// now.
int MountPoints::Step(int* parent, const char* name, Kind kind) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    const int found = Find(*parent, name);
    if (found < 0 && errno != ENOENT) return -1;
    if (found < 0) {
      if (!Make(parent, name, kind)) return -1;
      continue;
    }
    const Hold hold = HoldIfMade(*parent, name, found);
    if (hold == Hold::kYes) return found;
    close(found);
    if (hold == Hold::kNo) break;
  }
  errno = EBUSY;
  return -1;
}

// Locks what is there if a task made it.
MountPoints::Hold MountPoints::HoldIfMade(int parent, const char* name, int found) {
  struct stat about{};
  if (fstat(found, &about) != 0) return Hold::kGone;
  if (!IsMarked(about, OwnerOf(spec_)) || IsMirror(parent)) return Hold::kYes;
  if (made_count_ == kMadeMax) return Hold::kNo;
  const OwnersRights rights(spec_);
  if (!rights.taken()) return Hold::kNo;
  // The owner may have put anything there by now: nothing here may wait for it.
  const int self = OpenWithoutLinks(parent, name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  struct stat locked{};
  const bool same = self >= 0 && flock(self, LOCK_SH | LOCK_NB) == 0 && fstat(self, &locked) == 0 &&
                    fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
                    IsSame(about, locked);
  if (!same) {
    if (self >= 0) close(self);
    return Hold::kGone;
  }
  made_[made_count_++] = {fcntl(parent, F_DUPFD_CLOEXEC, 0), self, strdup(name),
                          S_ISDIR(about.st_mode) ? Kind::kFolder : Kind::kFile};
  return Hold::kYes;
}

bool MountPoints::Make(int* parent, const char* name, Kind kind) {
  if (IsMirror(*parent)) return MakeEntry(*parent, name, kind, 0);
  {
    const OwnersRights rights(spec_);
    if (rights.taken() && MakeEntry(*parent, name, kind, kMark)) return true;
  }
  if (errno != EACCES && errno != EPERM && errno != EROFS) return false;
  const int mirror = Mirror(*parent);
  if (mirror < 0) return false;
  close(*parent);
  *parent = mirror;
  if (depth_ == 0) {
    close(root_);
    root_ = fcntl(mirror, F_DUPFD_CLOEXEC, 0);
  }
  return MakeEntry(mirror, name, kind, 0);
}

// Covers a folder by a private one that shows the same entries. Who may not list the folder gets
// none, or its names would be told.
int MountPoints::Mirror(int folder) {
  if (mirror_count_ == kMirrorsMax) {
    errno = EMFILE;
    return -1;
  }
  int listed = -1;
  {
    const OwnersRights rights(spec_);
    if (rights.taken()) listed = OpenWithoutLinks(folder, ".", O_RDONLY | O_DIRECTORY);
  }
  DIR* entries = listed < 0 ? nullptr : fdopendir(listed);
  if (entries == nullptr) return -1;
  const int made = MakePrivateFolder();
  struct stat about{};
  const bool shown =
      made >= 0 && fstat(made, &about) == 0 &&
      move_mount(made, "", folder, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == 0 &&
      ShowEntries(entries, folder, made);
  const int error = errno;
  closedir(entries);
  if (shown) {
    mirrors_[mirror_count_++] = about.st_dev;
    return made;
  }
  if (made >= 0) close(made);
  errno = error;
  return -1;
}

bool MountPoints::IsMirror(int folder) const {
  struct stat about{};
  if (fstat(folder, &about) != 0) return false;
  for (int i = 0; i < mirror_count_; ++i)
    if (mirrors_[i] == about.st_dev) return true;
  return false;
}

void MountPoints::Remove() {
  const OwnersRights rights(spec_);
  while (rights.taken() && made_count_ > 0) {
    const Made& point = made_[--made_count_];
    // Who tries in vain has given up its own lock: one of the others succeeds.
    if (flock(point.self, LOCK_EX | LOCK_NB) == 0 &&
        IsStillThere(point.parent, point.name, point.self))
      unlinkat(point.parent, point.name, point.kind == Kind::kFolder ? AT_REMOVEDIR : 0);
    close(point.self);
    close(point.parent);
    free(point.name);
  }
}

}  // namespace yard::shim
