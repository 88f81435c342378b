#include "control/track/artifacts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/sync_folder.h"

namespace yard::control {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 200;  // a temporary file's name is longer
constexpr std::size_t kLongestPath = 2000;
constexpr std::int64_t kDeepestPath = 64;  // folders; removing them needs a descriptor for each

std::unexpected<Error> Failure(std::string_view what, std::string_view path, int error) {
  bool temporary = error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS;
  Code code = temporary ? Code::kUnavailable : Code::kInvalid;
  return Fail(code, fmt::format("cannot {} artifact '{}': {}", what, path, std::strerror(error)),
              temporary ? "free space on the server's disk, then try again" : "");
}

Status WriteAll(int file, std::string_view bytes, std::string_view path) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failure("store", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file) != 0) return Failure("store", path, errno);
  return {};
}

// Taken away unless it is put in place.
struct Temporary {
  std::string path;
  UniqueFd file;
  ~Temporary() {
    if (!path.empty()) ::unlink(path.c_str());
  }
};

}  // namespace

Status CheckArtifactPath(std::string_view path) {
  auto refuse = [&](std::string_view why) {
    return Fail(Code::kInvalid, fmt::format("'{}' is not a path of an artifact: {}", path, why));
  };
  if (path.size() > kLongestPath) return refuse("it is too long");
  for (std::string_view part : Split(path, '/')) {
    if (part.empty()) return refuse("it has an empty part");
    if (part == "." || part == "..") return refuse("it leaves its folder");
    if (part.size() > kLongestName) return refuse("a part of it is too long");
    bool odd = std::ranges::any_of(part, [](char c) {
      return c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
    if (odd) return refuse("it has a backslash or a control character");
  }
  return {};
}

std::string Artifacts::PlaceOf(std::string_view path) const {
  return path.empty() ? folder_ : fmt::format("{}/{}", folder_, path);
}

Status Artifacts::Put(std::string_view path, std::string_view bytes) const {
  YARD_TRY(CheckArtifactPath(path));
  if (std::ranges::count(path, '/') > kDeepestPath) {
    return Fail(Code::kInvalid, fmt::format("an artifact lies in at most {} folders", kDeepestPath),
                "choose a shorter path");
  }
  fs::path place = PlaceOf(path);
  std::error_code error;
  fs::create_directories(place.parent_path(), error);
  if (error) return Failure("store", path, error.value());
  if (fs::is_directory(place, error)) return Failure("store", path, EISDIR);
  Temporary made{.path = place.string() + ".XXXXXX.part"};
  made.file = UniqueFd(::mkostemps(made.path.data(), 5, O_CLOEXEC));
  if (made.file.get() < 0) {
    int reason = errno;
    made.path.clear();
    return Failure("store", path, reason);
  }
  YARD_TRY(WriteAll(made.file.get(), bytes, path));
  if (::rename(made.path.c_str(), place.c_str()) != 0) return Failure("store", path, errno);
  made.path.clear();
  return SyncFolder(place.parent_path().string());
}

Result<OpenArtifact> Artifacts::Open(std::string_view path) const {
  YARD_TRY(CheckArtifactPath(path));
  OpenArtifact opened{.file = UniqueFd(::open(PlaceOf(path).c_str(), O_RDONLY | O_CLOEXEC))};
  struct stat about{};
  bool there = opened.file.get() >= 0 && ::fstat(opened.file.get(), &about) == 0;
  if (!there || !S_ISREG(about.st_mode)) {
    return Fail(Code::kNotFound, fmt::format("there is no artifact '{}'", path));
  }
  opened.bytes = static_cast<std::uint64_t>(about.st_size);
  return opened;
}

Result<std::vector<ArtifactEntry>> Artifacts::List(std::string_view path) const {
  if (!path.empty()) YARD_TRY(CheckArtifactPath(path));
  std::vector<ArtifactEntry> entries;
  std::error_code error;
  for (fs::directory_iterator at(PlaceOf(path), error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    ArtifactEntry entry{.name = at->path().filename().string(),
                        .is_folder = at->is_directory(ignored)};
    if (entry.name.ends_with(".part")) continue;  // on its way here
    if (!entry.is_folder) entry.bytes = at->file_size(ignored);
    entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &ArtifactEntry::name);
  return entries;
}

Status Artifacts::Remove(std::string_view path) const {
  YARD_TRY(CheckArtifactPath(path));
  std::error_code error;
  fs::remove_all(PlaceOf(path), error);
  if (error) return Failure("delete", path, error.value());
  return {};
}

}  // namespace yard::control
