#include "shim/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr int kDeepest = 32;
// Where the file system moves no folder, as that of the control groups.
constexpr int kDeepestWithoutMoves = 500;
// Names that somebody may have taken on purpose.
constexpr int kMostTries = 10'000;

int OpenFolder(int folder, const char* name) {
  return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

class Emptying {
 public:
  explicit Emptying(int top) : top_(top) {}

  // Until nothing was moved: a folder does not always show what came while it was read.
  void Run() {
    do {
      moved_ = false;
      const int fd = OpenFolder(top_, ".");
      if (fd >= 0) Empty(fd, 0);
    } while (moved_);
  }

 private:
  // Takes the descriptor.
  void Empty(int fd, int depth) {
    DIR* entries = fdopendir(fd);
    if (entries == nullptr) {
      close(fd);
      return;
    }
    while (const dirent* entry = readdir(entries)) {
      const char* name = entry->d_name;
      if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) RemoveEntry(fd, name, depth);
    }
    closedir(entries);
  }

  void RemoveEntry(int folder, const char* name, int depth) {
    if (unlinkat(folder, name, 0) == 0 || errno != EISDIR) return;
    if (unlinkat(folder, name, AT_REMOVEDIR) == 0) return;
    if (depth >= kDeepest && (MoveUp(folder, name) || depth >= kDeepestWithoutMoves)) return;
    const int inner = OpenFolder(folder, name);
    if (inner >= 0) Empty(inner, depth + 1);
    unlinkat(folder, name, AT_REMOVEDIR);
  }

  bool MoveUp(int folder, const char* name) {
    for (int i = 0; i < kMostTries; ++i) {
      Line other;
      other << "gpuyard-removed-" << static_cast<std::int64_t>(next_++);
      if (renameat(folder, name, top_, other.text()) == 0) {
        moved_ = true;
        return true;
      }
      if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) return false;
    }
    return false;
  }

  const int top_;
  int next_ = 0;
  bool moved_ = false;
};

}  // namespace

void EmptyFolder(int folder, const char* name) {
  const int fd = OpenFolder(folder, name);
  if (fd < 0) return;
  Emptying(fd).Run();
  close(fd);
}

void RemoveTree(int folder, const char* name) {
  if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return;
  EmptyFolder(folder, name);
  unlinkat(folder, name, AT_REMOVEDIR);
}

}  // namespace yard::shim
