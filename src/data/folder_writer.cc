#include "data/folder_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ranges>
#include <set>

#include <fmt/format.h>

#include "data/folder.h"

namespace yard::data {
namespace {

constexpr const char* kPart = ".gpuyard-part";

std::unexpected<Error> Cannot(std::string_view what, std::string_view path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS;
  return Fail(full ? Code::kUnavailable : Code::kInvalid,
              fmt::format("cannot {} '{}': {}", what, Printable(path), std::strerror(error)),
              full ? "free space on the disk, then try again" : "");
}

timespec TimeOf(const Entry& entry) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::int64_t seconds = entry.mtime_ns / kSecond;
  std::int64_t rest = entry.mtime_ns % kSecond;
  if (rest < 0) --seconds, rest += kSecond;
  return {.tv_sec = seconds, .tv_nsec = rest};
}

Status WriteAt(int file, std::string_view bytes, std::uint64_t at, const Entry& entry) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Cannot("write", entry.path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    at += static_cast<std::uint64_t>(wrote);
  }
  return {};
}

Status WriteSegments(int file, const Entry& entry, const ReadChunk& read) {
  std::uint64_t at = 0;
  for (const Segment& segment : entry.segments) {
    if (!segment.is_hole) {
      YARD_ASSIGN(std::string content, read(segment.id));
      if (content.size() != segment.length)
        return Fail(Code::kInvalid, fmt::format("chunk {} has another length than '{}' says",
                                                Hex(segment.id), Printable(entry.path)));
      YARD_TRY(WriteAt(file, content, at, entry));
    }
    at += segment.length;
  }
  if (::ftruncate(file, static_cast<off_t>(entry.size)) != 0)
    return Cannot("write", entry.path, errno);
  return {};
}

// Removes the present entry, unless it is a folder that is not empty.
Status MakeRoom(int folder, const std::string& name, const Entry& entry) {
  if (::unlinkat(folder, name.c_str(), 0) == 0 || errno == ENOENT) return {};
  if (errno == EISDIR && ::unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0) return {};
  return Cannot("replace", entry.path, errno);
}

}  // namespace

Result<FolderWriter> FolderWriter::Open(const std::string& path, Modes modes) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return Cannot("make", path, error.value());
  YARD_ASSIGN(UniqueFd root, OpenFolder(path));
  return FolderWriter(std::move(root), modes);
}

std::uint32_t FolderWriter::ModeOf(const Entry& entry) const {
  if (modes_ == Modes::kRecorded) return entry.mode;
  return entry.kind == Kind::kFolder || (entry.mode & 0100) != 0 ? 0555 : 0444;
}

Result<FolderWriter::Place> FolderWriter::PlaceOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return Place{root_.get(), path};
  const std::string parent = path.substr(0, slash);
  if (!parent_ || parent_path_ != parent) {
    YARD_ASSIGN(parent_, OpenBelow(root_.get(), parent, O_RDONLY | O_DIRECTORY));
    parent_path_ = parent;
  }
  return Place{parent_.get(), path.substr(slash + 1)};
}

bool FolderWriter::Has(const Entry& entry) const {
  const Result<UniqueFd> file = OpenBelow(root_.get(), entry.path, O_PATH);
  return file && IsEntry(file->get(), entry);
}

bool FolderWriter::IsEntry(int file, const Entry& entry) const {
  if (entry.kind != Kind::kFile) return false;
  struct stat about{};
  if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return false;
  const timespec time = TimeOf(entry);
  return static_cast<std::uint64_t>(about.st_size) == entry.size &&
         about.st_mtim.tv_sec == time.tv_sec && about.st_mtim.tv_nsec == time.tv_nsec &&
         (about.st_mode & 0777) == ModeOf(entry);
}

bool FolderWriter::Share(int other, const Entry& entry) {
  const Result<UniqueFd> file = OpenBelow(other, entry.path, O_PATH);
  if (modes_ != Modes::kShared || !file || !IsEntry(file->get(), entry)) return false;
  const Result<Place> place = PlaceOf(entry.path);
  if (!place) return false;
  const std::string own = fmt::format("/proc/self/fd/{}", file->get());
  return ::linkat(AT_FDCWD, own.c_str(), place->folder, place->name.c_str(), AT_SYMLINK_FOLLOW) ==
         0;
}

Status FolderWriter::AddFolder(const Entry& entry) {
  YARD_ASSIGN(Place place, PlaceOf(entry.path));
  struct stat about{};
  const bool there = ::fstatat(place.folder, place.name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0;
  if (there && !S_ISDIR(about.st_mode)) YARD_TRY(MakeRoom(place.folder, place.name, entry));
  const bool made =
      (there && S_ISDIR(about.st_mode)) || ::mkdirat(place.folder, place.name.c_str(), 0700) == 0;
  if (!made) return Cannot("make", entry.path, errno);
  // Its own modes come last, or nothing could be put into it.
  if (there && (about.st_mode & 0700) != 0700) {
    YARD_ASSIGN(UniqueFd folder, OpenBelow(root_.get(), entry.path, O_RDONLY | O_DIRECTORY));
    if (::fchmod(folder.get(), 0700) != 0) return Cannot("open", entry.path, errno);
  }
  folders_.push_back(entry);
  return {};
}

Status FolderWriter::AddLink(const Entry& entry) {
  YARD_ASSIGN(Place place, PlaceOf(entry.path));
  YARD_TRY(MakeRoom(place.folder, place.name, entry));
  if (::symlinkat(entry.target.c_str(), place.folder, place.name.c_str()) != 0)
    return Cannot("make the link", entry.path, errno);
  const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, TimeOf(entry)};
  ::utimensat(place.folder, place.name.c_str(), times, AT_SYMLINK_NOFOLLOW);
  return {};
}

Status FolderWriter::AddFile(const Entry& entry, const ReadChunk& read) {
  YARD_ASSIGN(Place place, PlaceOf(entry.path));
  ::unlinkat(place.folder, kPart, 0);
  const UniqueFd file(
      ::openat(place.folder, kPart, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return Cannot("write", entry.path, errno);
  const auto put = [&]() -> Status {
    YARD_TRY(WriteSegments(file.get(), entry, read));
    const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, TimeOf(entry)};
    if (::fchmod(file.get(), ModeOf(entry)) != 0 || ::futimens(file.get(), times) != 0)
      return Cannot("write", entry.path, errno);
    struct stat about{};
    const bool folder =
        ::fstatat(place.folder, place.name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(about.st_mode);
    if (folder) YARD_TRY(MakeRoom(place.folder, place.name, entry));
    if (::renameat(place.folder, kPart, place.folder, place.name.c_str()) != 0)
      return Cannot("write", entry.path, errno);
    return {};
  };
  Status done = put();
  if (!done) ::unlinkat(place.folder, kPart, 0);
  return done;
}

Status FolderWriter::Add(const Entry& entry, const ReadChunk& read) {
  switch (entry.kind) {
    case Kind::kFolder:
      return AddFolder(entry);
    case Kind::kLink:
      return AddLink(entry);
    case Kind::kFile:
      break;
  }
  return AddFile(entry, read);
}

Status FolderWriter::Finish() {
  for (const Entry& entry : folders_ | std::views::reverse) {
    YARD_ASSIGN(UniqueFd folder, OpenBelow(root_.get(), entry.path, O_RDONLY | O_DIRECTORY));
    const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, TimeOf(entry)};
    if (::fchmod(folder.get(), ModeOf(entry)) != 0 || ::futimens(folder.get(), times) != 0)
      return Cannot("set the mode of", entry.path, errno);
  }
  if (modes_ == Modes::kShared && ::fchmod(root_.get(), 0555) != 0)
    return Cannot("set the mode of", ".", errno);
  return {};
}

Status RemoveFolder(const std::string& path) {
  const UniqueFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder) return errno == ENOENT ? Status() : Cannot("remove", path, errno);
  ::fchmod(folder.get(), 0700);
  std::error_code error;
  namespace fs = std::filesystem;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    if (at->symlink_status(error).type() == fs::file_type::directory)
      fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, error);
  }
  fs::remove_all(path, error);
  return error ? Cannot("remove", path, error.value()) : Status();
}

Result<std::vector<std::string>> ExtraPaths(const std::string& path,
                                            const std::vector<Entry>& entries) {
  YARD_ASSIGN(FoundFolder found, WalkFolder(path));
  std::set<std::string_view> wanted;
  for (const Entry& entry : entries) wanted.insert(entry.path);
  std::vector<std::string> extra;
  for (const Entry& entry : found.entries | std::views::reverse) {
    if (!wanted.contains(entry.path)) extra.push_back(entry.path);
  }
  return extra;
}

Status RemovePaths(const std::string& path, const std::vector<std::string>& extra) {
  YARD_ASSIGN(UniqueFd root, OpenFolder(path));
  for (const std::string& one : extra) {
    const std::size_t slash = one.rfind('/');
    const std::string parent = slash == std::string::npos ? "." : one.substr(0, slash);
    const std::string name = slash == std::string::npos ? one : one.substr(slash + 1);
    YARD_ASSIGN(UniqueFd folder, OpenBelow(root.get(), parent, O_RDONLY | O_DIRECTORY));
    if (::unlinkat(folder.get(), name.c_str(), 0) == 0 || errno == ENOENT) continue;
    if (::unlinkat(folder.get(), name.c_str(), AT_REMOVEDIR) != 0)
      return Cannot("remove", one, errno);
  }
  return {};
}

}  // namespace yard::data
