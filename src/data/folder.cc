#include "data/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "data/cut.h"

namespace yard::data {
namespace {

constexpr std::size_t kBuffer = 4 << 20;
// A shorter hole is read as zeros.
constexpr std::uint64_t kShortestHole = 64 << 10;

std::unexpected<Error> Cannot(std::string_view what, std::string_view path, int error) {
  const Code code = error == ENOENT ? Code::kNotFound : Code::kInvalid;
  return Fail(code, fmt::format("cannot {} '{}': {}", what, Printable(path), std::strerror(error)));
}

Kind KindOf(const struct stat& about) {
  if (S_ISDIR(about.st_mode)) return Kind::kFolder;
  return S_ISLNK(about.st_mode) ? Kind::kLink : Kind::kFile;
}

Entry EntryOf(std::string path, const struct stat& about) {
  Entry entry{.path = std::move(path),
              .kind = KindOf(about),
              .mode = about.st_mode & 0777,
              .mtime_ns = about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec,
              .size = 0,
              .target = {},
              .segments = {}};
  if (entry.kind == Kind::kFile) entry.size = static_cast<std::uint64_t>(about.st_size);
  return entry;
}

Result<std::vector<std::string>> NamesIn(int folder, std::string_view path) {
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* opened = copy < 0 ? nullptr : ::fdopendir(copy);
  if (opened == nullptr) return Cannot("read", path, errno);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(opened, ::closedir);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* item = ::readdir(list.get())) {
    const std::string_view name = item->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return Cannot("read", path, errno);
  std::ranges::sort(names);
  return names;
}

class Walker {
 public:
  Walker(FoundFolder& found, const SkipPath& skip) : found_(found), skip_(skip) {}

  Status Walk(int folder, const std::string& prefix) {
    YARD_ASSIGN(std::vector<std::string> names, NamesIn(folder, prefix.empty() ? "." : prefix));
    for (const std::string& name : names) YARD_TRY(Take(folder, name, prefix));
    return {};
  }

 private:
  Status Take(int folder, const std::string& name, const std::string& prefix) {
    std::string path = prefix.empty() ? name : fmt::format("{}/{}", prefix, name);
    struct stat about{};
    if (::fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0)
      return errno == ENOENT ? Status() : Cannot("look at", path, errno);  // gone meanwhile
    const bool known = S_ISDIR(about.st_mode) || S_ISREG(about.st_mode) || S_ISLNK(about.st_mode);
    if (!known) {
      found_.skipped.push_back(Printable(path));
      return {};
    }
    if (skip_ && skip_(path, KindOf(about))) return {};
    YARD_TRY(CheckPath(path));
    if (found_.entries.size() == kMostEntries)
      return Fail(Code::kTooLarge, fmt::format("there are more than {} files", kMostEntries));
    Entry entry = EntryOf(path, about);
    if (entry.kind == Kind::kLink) YARD_TRY(ReadTarget(folder, name, entry));
    found_.bytes += entry.size;
    const bool inside = entry.kind == Kind::kFolder;
    found_.entries.push_back(std::move(entry));
    if (!inside) return {};
    const UniqueFd below(
        ::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    return below ? Walk(below.get(), path) : Cannot("open", path, errno);
  }

  static Status ReadTarget(int folder, const std::string& name, Entry& entry) {
    std::string target(kLongestPath + 1, '\0');
    const ssize_t size = ::readlinkat(folder, name.c_str(), target.data(), target.size());
    if (size <= 0) return Cannot("read the link", entry.path, errno);
    if (static_cast<std::size_t>(size) > kLongestPath)
      return Cannot("read the link", entry.path, ENAMETOOLONG);
    target.resize(static_cast<std::size_t>(size));
    entry.target = std::move(target);
    return {};
  }

  FoundFolder& found_;
  const SkipPath& skip_;
};

struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Where there is data; all of it where the file system does not tell.
std::vector<Extent> ExtentsOf(int file, std::uint64_t size) {
  std::vector<Extent> extents;
  std::uint64_t at = 0;
  while (at < size) {
    const off_t data = ::lseek(file, static_cast<off_t>(at), SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;
    if (data < 0) return {{0, size}};
    const off_t hole = ::lseek(file, data, SEEK_HOLE);
    const std::uint64_t begin = std::min(static_cast<std::uint64_t>(data), size);
    const std::uint64_t end = hole < 0 ? size : std::min(static_cast<std::uint64_t>(hole), size);
    if (end <= begin) break;
    if (!extents.empty() && begin - extents.back().end < kShortestHole) {
      extents.back().end = end;
    } else {
      extents.push_back({begin < kShortestHole ? 0 : begin, end});
    }
    at = end;
  }
  if (!extents.empty() && size - extents.back().end < kShortestHole) extents.back().end = size;
  return extents;
}

Status CutExtent(int file, Extent extent, const TakeParts& take) {
  std::string buffer;
  std::uint64_t read = extent.begin;
  while (read < extent.end || !buffer.empty()) {
    const std::size_t had = buffer.size();
    buffer.resize(std::min<std::uint64_t>(kBuffer, had + (extent.end - read)));
    std::size_t filled = had;
    while (filled < buffer.size()) {
      const ssize_t got =
          ::pread(file, buffer.data() + filled, buffer.size() - filled, static_cast<off_t>(read));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Fail(Code::kInvalid, std::strerror(errno));
      if (got == 0) return Fail(Code::kConflict, "it became shorter while it was read");
      filled += static_cast<std::size_t>(got);
      read += static_cast<std::uint64_t>(got);
    }
    std::string_view left = buffer;
    const bool last = read == extent.end;
    while (left.size() >= kLongestChunk || (last && !left.empty())) {
      const std::string_view chunk = left.substr(0, CutAt(left));
      YARD_TRY(take.chunk(chunk));
      left.remove_prefix(chunk.size());
    }
    buffer.erase(0, buffer.size() - left.size());
  }
  return {};
}

}  // namespace

Result<UniqueFd> OpenBelow(int folder, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC | O_NOFOLLOW);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const long opened = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
  if (opened >= 0) return UniqueFd(static_cast<int>(opened));
  return Cannot("open", path, errno);
}

Result<UniqueFd> OpenFolder(const std::string& path) {
  UniqueFd opened(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return Cannot("open", path, errno);
  return opened;
}

Result<FoundFolder> WalkFolder(const std::string& path, const SkipPath& skip) {
  YARD_ASSIGN(UniqueFd root, OpenFolder(path));
  FoundFolder found;
  YARD_TRY(Walker(found, skip).Walk(root.get(), ""));
  return found;
}

bool LeadsOut(const Entry& entry) {
  if (entry.kind != Kind::kLink) return false;
  if (entry.target.starts_with('/')) return true;
  const std::filesystem::path around = std::filesystem::path(entry.path).parent_path();
  const std::filesystem::path target = (around / entry.target).lexically_normal();
  return *target.begin() == "..";
}

Status CutFile(int file, std::uint64_t size, const TakeParts& take) {
  std::uint64_t at = 0;
  for (const Extent& extent : ExtentsOf(file, size)) {
    if (extent.begin > at) YARD_TRY(take.hole(extent.begin - at));
    YARD_TRY(CutExtent(file, extent, take));
    at = extent.end;
  }
  return at < size ? take.hole(size - at) : Status();
}

Result<Entry> Look(int file, const std::string& path) {
  struct stat about{};
  if (::fstat(file, &about) != 0) return Cannot("look at", path, errno);
  if (!S_ISREG(about.st_mode)) return Cannot("read", path, EINVAL);
  return EntryOf(path, about);
}

}  // namespace yard::data
