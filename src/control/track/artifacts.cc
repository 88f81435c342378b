#include "control/track/artifacts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

constexpr std::string_view kIncoming = ".incoming";
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kLongestPath = 2000;
constexpr std::int64_t kDeepestPath = 64;  // folders; removing them needs a descriptor for each
// So much is written back at a time. The last sync then has little left to do, and one upload does
// not fill the memory with what the disk has still to take.
constexpr std::uint64_t kWindow = 32 << 20;
// Others need some of the disk as well: the journal is on it.
constexpr std::uint64_t kRoomLeft = 256 << 20;
constexpr std::uint64_t kShareLeft = 20;  // of a small disk, one part of so many

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
  return {};
}

std::uint64_t BytesBelow(const std::string& folder) {
  std::uint64_t sum = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone)) continue;
    const std::uintmax_t bytes = at->file_size(gone);
    if (!gone) sum += bytes;
  }
  return sum;
}

std::uint64_t BytesOf(const std::string& file) {
  struct stat about{};
  bool there = ::stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode);
  return there ? static_cast<std::uint64_t>(about.st_size) : 0;
}

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

ArtifactWriter::ArtifactWriter(Artifacts& home, ArtifactPlace place, std::string temporary,
                               UniqueFd file)
    : home_(home),
      place_(std::move(place)),
      temporary_(std::move(temporary)),
      file_(std::move(file)) {}

ArtifactWriter::~ArtifactWriter() {
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  home_.quota_.Release(place_.project, reserved_);
}

Status ArtifactWriter::Write(std::string_view bytes) {
  const std::uint64_t wanted = bytes_ + bytes.size();
  YARD_TRY(home_.CheckSize(wanted));
  // With each piece: many files may come at once, and none of them says how much is to come.
  YARD_TRY(home_.RequireRoom(0));
  if (wanted > reserved_) {
    YARD_TRY(home_.quota_.Reserve(place_.project, wanted - reserved_));
    reserved_ = wanted;
  }
  YARD_TRY(WriteAll(file_.get(), bytes, place_.path));
  bytes_ = wanted;
  if (bytes_ - flushed_ >= kWindow) Pace();
  return {};
}

// Waits for the window before this one and begins with this one.
void ArtifactWriter::Pace() {
  constexpr unsigned kBegin = SYNC_FILE_RANGE_WRITE;
  constexpr unsigned kAwait =
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  // Only a hint: the sync at the end tells what went wrong.
  (void)::sync_file_range(file_.get(), static_cast<off64_t>(flushed_),
                          static_cast<off64_t>(bytes_ - flushed_), kBegin);
  if (flushed_ > 0) {
    const std::uint64_t before = flushed_ - std::min(flushed_, kWindow);
    (void)::sync_file_range(file_.get(), static_cast<off64_t>(before),
                            static_cast<off64_t>(flushed_ - before), kAwait);
  }
  flushed_ = bytes_;
}

Status ArtifactWriter::Commit() {
  const std::string place = home_.PlaceOf(place_.path);
  if (::fsync(file_.get()) != 0) return Failure("store", place_.path, errno);
  YARD_TRY(home_.MakeFolderFor(place_.path));  // it may have been deleted meanwhile
  const std::uint64_t replaced = BytesOf(place);
  if (::rename(temporary_.c_str(), place.c_str()) != 0) return Failure("store", place_.path, errno);
  temporary_.clear();
  home_.quota_.Store(place_.project, reserved_, replaced);
  return SyncFolder(fs::path(place).parent_path().string());
}

std::optional<DiskRoom> RoomOf(const std::string& folder) {
  struct statvfs disk{};
  if (::statvfs(folder.c_str(), &disk) != 0) return std::nullopt;
  return DiskRoom{.all = std::uint64_t{disk.f_blocks} * disk.f_frsize,
                  .left = std::uint64_t{disk.f_bavail} * disk.f_frsize};
}

Artifacts::Artifacts(ArtifactsOptions options)
    : folder_(std::move(options.folder)),
      most_of_a_file_(options.most_bytes_of_a_file),
      room_(std::move(options.room)),
      quota_(options.most_bytes_of_a_project,
             [this, folders_of = std::move(options.folders_of)](ProjectId project) {
               std::uint64_t sum = 0;
               if (!folders_of) return sum;
               for (const std::string& one : folders_of(project)) sum += BytesBelow(PlaceOf(one));
               return sum;
             }) {}

std::string Artifacts::incoming() const {
  return fmt::format("{}/{}", folder_, kIncoming);
}
std::string Artifacts::parts_folder() const {
  return incoming() + "/parts";
}

void Artifacts::ForgetBroken() {
  std::error_code error;
  for (fs::directory_iterator at(incoming(), error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) fs::remove(at->path(), ignored);
  }
}

std::string Artifacts::PlaceOf(std::string_view path) const {
  return path.empty() ? folder_ : fmt::format("{}/{}", folder_, path);
}

// A new folder is named in the one above it, which has to be on disk as well. The folder of parts
// is there as long as they are wanted: one that comes too late must not make it anew.
Status Artifacts::MakeFolderFor(std::string_view path) const {
  if (path.starts_with(kIncoming)) return {};
  const fs::path wanted = fs::path(PlaceOf(path)).parent_path();
  std::error_code error;
  std::vector<fs::path> fresh;
  for (fs::path at = wanted; !fs::exists(at, error) && at.has_relative_path();
       at = at.parent_path()) {
    fresh.push_back(at);
  }
  error.clear();
  fs::create_directories(wanted, error);
  if (error) return Failure("store", path, error.value());
  for (const fs::path& folder : fresh) YARD_TRY(SyncFolder(folder.parent_path().string()));
  return {};
}

Status Artifacts::RequireRoom(std::uint64_t bytes) const {
  const std::optional<DiskRoom> disk = room_(folder_);
  if (!disk) return {};  // the write itself will tell
  const std::uint64_t room = disk->left;
  const std::uint64_t kept = std::min(kRoomLeft, disk->all / kShareLeft);
  if (room >= kept && room - kept >= bytes) return {};
  if (bytes > 0) {
    return Fail(Code::kTooLarge,
                fmt::format("the file has {} MiB, and the server's disk has {} MiB left",
                            (bytes >> 20) + 1, room >> 20),
                "free space on the server's disk");
  }
  return Fail(Code::kUnavailable,
              fmt::format("the server's disk is full: {} MiB are left", room >> 20),
              "free space on the server's disk, then try again");
}

Status Artifacts::CheckSize(std::uint64_t bytes) const {
  if (!most_of_a_file_ || bytes <= *most_of_a_file_) return {};
  return Fail(Code::kTooLarge,
              fmt::format("the file has {} MiB, and this server takes files up to {} MiB",
                          (bytes >> 20) + 1, *most_of_a_file_ >> 20),
              "ask an administrator to raise max-artifact-mib");
}

Result<std::unique_ptr<ArtifactWriter>> Artifacts::Begin(ArtifactPlace place,
                                                         std::optional<std::uint64_t> announced) {
  YARD_TRY(CheckArtifactPath(place.path));
  if (std::ranges::count(place.path, '/') > kDeepestPath) {
    return Fail(Code::kInvalid, fmt::format("an artifact lies in at most {} folders", kDeepestPath),
                "choose a shorter path");
  }
  YARD_TRY(CheckSize(announced.value_or(0)));
  YARD_TRY(MakeFolderFor(place.path));
  std::error_code error;
  if (fs::is_directory(PlaceOf(place.path), error)) return Failure("store", place.path, EISDIR);
  YARD_TRY(RequireRoom(announced.value_or(0)));
  fs::create_directories(incoming(), error);
  if (error) return Failure("store", place.path, error.value());
  std::string temporary = incoming() + "/XXXXXX";
  UniqueFd file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return Failure("store", place.path, errno);
  auto writer = std::make_unique<ArtifactWriter>(*this, std::move(place), std::move(temporary),
                                                 std::move(file));
  if (announced) {
    YARD_TRY(quota_.Reserve(writer->place_.project, *announced));
    writer->reserved_ = *announced;
  }
  return writer;
}

Status Artifacts::Put(ArtifactPlace place, std::string_view bytes) {
  YARD_ASSIGN(auto writer, Begin(std::move(place), bytes.size()));
  YARD_TRY(writer->Write(bytes));
  return writer->Commit();
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
    if (!entry.is_folder) entry.bytes = at->file_size(ignored);
    entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &ArtifactEntry::name);
  return entries;
}

Status Artifacts::Remove(const ArtifactPlace& place) {
  YARD_TRY(CheckArtifactPath(place.path));
  std::error_code error;
  fs::remove_all(PlaceOf(place.path), error);
  quota_.Recount(place.project);
  if (error) return Failure("delete", place.path, error.value());
  return {};
}

}  // namespace yard::control
