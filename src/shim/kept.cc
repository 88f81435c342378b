#include "shim/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/format.h"
#include "shim/spec.h"
#include "shim/tar.h"
#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr std::size_t kLongestPath = 4096;

int Complain(const char* what, const char* thing, int error) {
  Line line;
  line << "gpuyard: " << what << " ";
  line.AddPrintable(thing);
  if (error != 0) line << ": " << strerrordesc_np(error);
  line.AddNewline();
  tar::WriteAll(2, line.text(), line.size());
  return 1;
}

// A folder below another, with no link on the way.
int OpenBelow(int folder, const char* path) {
  open_how how{};
  how.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(syscall(SYS_openat2, folder, path, &how, sizeof(how)));
}

// Whether the task may be read as root, because it ran so.
bool RanAsRoot() {
  static Spec spec;
  const int file = open(kSpecName, O_RDONLY | O_CLOEXEC);
  return file >= 0 && ReadSpec(file, &spec) && spec.as_root;
}

// For good: this process is nothing but that account from here on.
bool TakeOwner(int folder) {
  struct stat about{};
  if (fstat(folder, &about) != 0) return false;
  if (geteuid() != 0) return true;
  if (about.st_uid == 0) {
    errno = EACCES;
    return RanAsRoot();
  }
  return setgroups(0, nullptr) == 0 && setresgid(about.st_gid, about.st_gid, about.st_gid) == 0 &&
         setresuid(about.st_uid, about.st_uid, about.st_uid) == 0 &&
         prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

// Cuts the last part off a path without slashes at its end. Where there is no other part: ".".
const char* TakeParent(char* path, const char** last) {
  char* slash = strrchr(path, '/');
  *last = slash == nullptr ? path : slash + 1;
  if (slash == nullptr) return ".";
  *slash = '\0';
  return path;
}

}  // namespace

int PackNothing(const char* path) {
  while (*path == '/') ++path;
  return *path == '\0' ? PackEmpty({1, 2}) : Complain("cannot read", path, ENOENT);
}

int PackKept(const char* place, const char* path, PackWhat what) {
  static char whole[kLongestPath];
  std::size_t size = strlen(path);
  if (size >= sizeof(whole)) return Complain("too long a path:", path, 0);
  memcpy(whole, path, size + 1);
  while (size > 0 && whole[size - 1] == '/') whole[--size] = '\0';
  const int folder = OpenBelow(AT_FDCWD, place);
  if (folder < 0 && errno == ENOENT) return PackNothing(path);
  if (folder < 0) return Complain("there is no such output folder:", place, errno);
  if (!TakeOwner(folder)) return Complain("cannot act as the owner of", place, errno);
  const char* last = ".";
  const int parent = size == 0 ? folder : OpenBelow(folder, TakeParent(whole, &last));
  if (parent < 0) return Complain("cannot read", path, errno);
  if (strcmp(last, "..") == 0) return Complain("cannot read", path, EINVAL);
  if (fchdir(parent) != 0) return Complain("cannot read", path, errno);
  return Pack(last, {1, 2}, what);
}

}  // namespace yard::shim
