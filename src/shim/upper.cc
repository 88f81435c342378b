#include "shim/upper.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace yard::shim {
namespace {

constexpr int kDeepest = 32;
// The end of the task waits for the count.
constexpr std::int64_t kMostEntries = 20'000;

bool IsOneOf(const char* name, const char* const* names, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

bool IsMeantToGo(const char* name, int depth) {
  static const char* const at_top[] = {"tmp", "run", "var", "dev", "proc", "sys"};
  static const char* const anywhere[] = {".", "..", "__pycache__", ".cache"};
  if (IsOneOf(name, anywhere, sizeof(anywhere) / sizeof(anywhere[0]))) return true;
  return depth == 0 && IsOneOf(name, at_top, sizeof(at_top) / sizeof(at_top[0]));
}

class Counting {
 public:
  // Takes the descriptor. `path` is the folder's own inside the container.
  void Count(int fd, const char* path, int depth) {
    DIR* entries = fdopendir(fd);
    if (entries == nullptr) {
      close(fd);
      return;
    }
    while (const dirent* entry = readdir(entries)) {
      if (!IsMeantToGo(entry->d_name, depth) && !Take(fd, path, entry->d_name, depth)) break;
    }
    closedir(entries);
  }

  const LeftFiles& found() const { return found_; }

 private:
  // False: it is enough.
  bool Take(int folder, const char* path, const char* name, int depth) {
    if (++entries_ > kMostEntries) found_.is_all = false;
    if (!found_.is_all) return false;
    struct stat about{};
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0) return true;
    char own[sizeof(found_.first)];
    const int length = snprintf(own, sizeof(own), "%s/%s", path, name);
    if (length < 0 || static_cast<std::size_t>(length) >= sizeof(own)) return true;
    if (S_ISDIR(about.st_mode) && depth < kDeepest) {
      const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner >= 0) Count(inner, own, depth + 1);
      return found_.is_all;
    }
    // A file without content is a place that something was mounted on.
    if (!S_ISREG(about.st_mode) || about.st_size == 0) return true;
    if (found_.files++ == 0) memcpy(found_.first, own, static_cast<std::size_t>(length) + 1);
    found_.bytes += about.st_size;
    return true;
  }

  LeftFiles found_;
  std::int64_t entries_ = 0;
};

}  // namespace

LeftFiles FilesIn(const char* layer) {
  Counting counting;
  const int fd = open(layer, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (layer[0] == '/' && fd >= 0) counting.Count(fd, "", 0);
  return counting.found();
}

}  // namespace yard::shim
