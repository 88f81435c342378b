#include "control/track/part_uploads.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/strings.h"
#include "base/uuid.h"

namespace yard::control {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAbout = "about";
constexpr std::string_view kApp = "app";
constexpr Micros kKept = Days(7);
constexpr Micros kIdle = Hours(6);
constexpr std::size_t kMostDone = 1000;
constexpr std::size_t kPiece = 1 << 20;

std::string Name(std::int64_t part) {
  return fmt::format("{:05}", part);
}

bool IsLine(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
}

// Secret, project, number of parts, path, mark, and who has begun it: type, id, account; a line
// each.
using About = std::array<std::string, 8>;

std::optional<About> ReadAbout(const fs::path& folder) {
  std::ifstream file(folder / kAbout);
  About lines;
  for (std::string& line : lines) {
    if (!std::getline(file, line)) return std::nullopt;
  }
  return lines;
}

Principal PrincipalOf(const About& about) {
  Principal by{.type = about[5] == kApp ? SubjectType::kApp : SubjectType::kUser, .id = about[6]};
  if (std::optional<Uuid> user = ParseUuid(about[7])) by.user = UserId{*user};
  return by;
}

std::string LinesOf(const Principal& by) {
  return fmt::format("{}\n{}\n{}\n", by.type == SubjectType::kApp ? kApp : "user", by.id,
                     by.user ? FormatUuid(by.user->value) : "");
}

}  // namespace

std::string PartUploads::FolderOf(std::string_view id) const {
  return fmt::format("{}/{}", artifacts_.parts_folder(), id);
}

void PartUploads::Load() {
  std::vector<fs::path> broken;
  std::error_code error;
  std::lock_guard guard(mutex_);
  for (fs::directory_iterator at(artifacts_.parts_folder(), error), end; !error && at != end;
       at.increment(error)) {
    auto about = ReadAbout(at->path());
    auto project = about ? ParseInt((*about)[1]) : std::nullopt;
    auto parts = about ? ParseInt((*about)[2]) : std::nullopt;
    if (!project || !parts) {
      broken.push_back(at->path());
      continue;
    }
    Upload& upload = open_[at->path().filename().string()];
    upload.wish.place = {ProjectId{*project}, (*about)[3]};
    upload.secret = (*about)[0];
    upload.wish.mark = (*about)[4];
    upload.wish.parts = *parts;
    upload.wish.by = PrincipalOf(*about);
    upload.touched = clock_.Now();
  }
  for (const fs::path& folder : broken) fs::remove_all(folder, error);
}

Result<PartUploads::Begun> PartUploads::Begin(Wish wish) {
  YARD_TRY(CheckArtifactPath(wish.place.path));
  if (wish.parts < 1 || wish.parts > kMostParts) {
    return Fail(Code::kInvalid, fmt::format("a file comes in 1 to {} parts", kMostParts),
                "send larger parts");
  }
  if (!IsLine(wish.mark)) return Fail(Code::kInvalid, "the mark of an upload is one line of text");
  ForgetOld();
  if (std::optional<Begun> begun = FindBegun(wish)) return *std::move(begun);
  if (!CheckCount(wish)) ForgetIdle(wish.place.project);
  YARD_TRY(CheckCount(wish));
  return Open({.wish = std::move(wish), .secret = {}, .touched = {}});
}

Status PartUploads::CheckCount(const Wish& wish) const {
  std::size_t of_project = 0;
  std::size_t of_one = 0;
  std::lock_guard guard(mutex_);
  for (const auto& [id, upload] : open_) {
    if (upload.wish.place.project != wish.place.project) continue;
    ++of_project;
    if (upload.wish.by.id == wish.by.id) ++of_one;
  }
  if (of_project < kMostOfAProject && of_one < kMostOfOne) return {};
  const bool own = of_one >= kMostOfOne;
  return Fail(Code::kTooMany,
              fmt::format("{} files{} are on their way into this project in parts",
                          own ? of_one : of_project, own ? " of yours" : ""),
              "complete or abort some of them first");
}

std::optional<PartUploads::Begun> PartUploads::FindBegun(const Wish& wish) const {
  if (wish.mark.empty()) return std::nullopt;
  Begun begun;
  {
    std::lock_guard guard(mutex_);
    auto found = std::ranges::find_if(open_, [&](const auto& entry) {
      const Wish& other = entry.second.wish;
      return other.mark == wish.mark && other.parts == wish.parts &&
             other.place.path == wish.place.path;
    });
    if (found == open_.end()) return std::nullopt;
    begun.id = found->first;
    begun.secret = found->second.secret;
  }
  std::error_code error;
  for (fs::directory_iterator at(FolderOf(begun.id), error), end; !error && at != end;
       at.increment(error)) {
    if (auto part = ParseInt(at->path().filename().string())) begun.arrived.push_back(*part);
  }
  return begun;
}

Result<PartUploads::Begun> PartUploads::Open(Upload upload) {
  std::array<std::uint8_t, 32> bytes{};
  random_.Fill(bytes);
  const std::string digits = fmt::format("{:02x}", fmt::join(bytes, ""));
  Begun begun{.id = digits.substr(0, 32), .secret = digits.substr(32), .arrived = {}};
  upload.secret = begun.secret;
  upload.touched = clock_.Now();
  std::error_code error;
  fs::create_directories(FolderOf(begun.id), error);
  std::ofstream about(fs::path(FolderOf(begun.id)) / kAbout);
  about << fmt::format("{}\n{}\n{}\n{}\n{}\n", upload.secret, upload.wish.place.project.value,
                       upload.wish.parts, upload.wish.place.path, upload.wish.mark)
        << LinesOf(upload.wish.by);
  about.close();
  if (error || !about) {
    fs::remove_all(FolderOf(begun.id), error);
    return Fail(Code::kUnavailable, "the upload cannot be kept",
                "free space on the server's disk, then try again");
  }
  std::lock_guard guard(mutex_);
  open_[begun.id] = std::move(upload);
  return begun;
}

Result<ArtifactPlace> PartUploads::PlaceOf(std::string_view id, std::string_view secret,
                                           std::int64_t part) {
  std::lock_guard guard(mutex_);
  auto found = open_.find(id);
  if (found == open_.end() || found->second.secret != secret)
    return Fail(Code::kNotFound, "there is no such upload", "begin it again");
  return PlaceOf(id, found->second, part);
}

Result<ArtifactPlace> PartUploads::PlaceIn(std::string_view id, std::string_view path,
                                           std::int64_t part) {
  std::lock_guard guard(mutex_);
  auto found = open_.find(id);
  if (found == open_.end() || found->second.wish.place.path != path)
    return Fail(Code::kNotFound, "there is no such upload", "begin it again");
  return PlaceOf(id, found->second, part);
}

Result<ArtifactPlace> PartUploads::PlaceOf(std::string_view id, Upload& upload, std::int64_t part) {
  if (part < 1 || part > upload.wish.parts)
    return Fail(Code::kInvalid, fmt::format("the file has parts 1 to {}", upload.wish.parts));
  if (upload.completing) return Fail(Code::kPrecondition, "the file is being put together");
  upload.touched = clock_.Now();
  return ArtifactPlace{upload.wish.place.project,
                       fmt::format("{}/{}", artifacts_.Within(FolderOf(id)), Name(part))};
}

Result<std::uint64_t> PartUploads::BytesOfAll(const std::string& id, const Upload& upload) const {
  std::uint64_t sum = 0;
  for (std::int64_t part = 1; part <= upload.wish.parts; ++part) {
    struct stat about{};
    if (::stat(fmt::format("{}/{}", FolderOf(id), Name(part)).c_str(), &about) != 0) {
      return Fail(Code::kPrecondition,
                  fmt::format("part {} of {} has not arrived", part, upload.wish.parts),
                  "send it, then complete the upload again");
    }
    sum += static_cast<std::uint64_t>(about.st_size);
  }
  return sum;
}

Status PartUploads::AddPart(const std::string& id, std::int64_t part, ArtifactWriter& whole) const {
  UniqueFd file(
      ::open(fmt::format("{}/{}", FolderOf(id), Name(part)).c_str(), O_RDONLY | O_CLOEXEC));
  std::string piece(kPiece, '\0');
  for (;;) {
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return Fail(Code::kUnavailable,
                  fmt::format("part {} cannot be read: {}", part, std::strerror(errno)));
    }
    if (got == 0) return {};
    YARD_TRY(whole.Write(std::string_view(piece).substr(0, static_cast<std::size_t>(got))));
  }
}

// The parts stay until the whole is in place: a crash in between costs nothing but the time.
Status PartUploads::PutTogether(const std::string& id, const Upload& upload) {
  YARD_ASSIGN(std::uint64_t bytes, BytesOfAll(id, upload));
  YARD_ASSIGN(auto whole, artifacts_.Begin(upload.wish.place, bytes));
  for (std::int64_t part = 1; part <= upload.wish.parts; ++part)
    YARD_TRY(AddPart(id, part, *whole));
  return whole->Commit();
}

Status PartUploads::Complete(const std::string& id, const std::string& path) {
  Upload upload;
  {
    std::lock_guard guard(mutex_);
    auto done = done_.find(id);
    if (done != done_.end() && done->second == path) return {};
    auto found = open_.find(id);
    if (found == open_.end() || found->second.wish.place.path != path)
      return Fail(Code::kNotFound, "there is no such upload", "begin it again");
    if (std::exchange(found->second.completing, true))
      return Fail(Code::kTooMany, "the file is being put together", "ask again in a moment");
    upload = found->second;
  }
  const Status put = PutTogether(id, upload);
  {
    std::lock_guard guard(mutex_);
    if (!put) {
      open_[id].completing = false;
      return put;
    }
    open_.erase(id);
    if (done_.size() >= kMostDone) done_.clear();
    done_[id] = path;
  }
  Remove(id, upload.wish.place.project);
  return {};
}

Status PartUploads::Abort(const std::string& id, const std::string& path) {
  ProjectId project;
  {
    std::lock_guard guard(mutex_);
    auto found = open_.find(id);
    if (found == open_.end() || found->second.wish.place.path != path)
      return Fail(Code::kNotFound, "there is no such upload");
    if (found->second.completing)
      return Fail(Code::kPrecondition, "the file is being put together");
    project = found->second.wish.place.project;
    open_.erase(found);
  }
  Remove(id, project);
  return {};
}

void PartUploads::Remove(const std::string& id, ProjectId project) {
  std::error_code ignored;
  fs::remove_all(FolderOf(id), ignored);
  artifacts_.Recount(project);
}

void PartUploads::ForgetOld() {
  std::vector<std::pair<std::string, ProjectId>> old;
  {
    std::lock_guard guard(mutex_);
    const Time now = clock_.Now();
    std::erase_if(open_, [&](const auto& entry) {
      const Upload& upload = entry.second;
      if (upload.completing || now < upload.touched + kKept) return false;
      old.emplace_back(entry.first, upload.wish.place.project);
      return true;
    });
  }
  for (const auto& [id, project] : old) Remove(id, project);
}

void PartUploads::ForgetIdle(ProjectId project) {
  std::string idle;
  {
    std::lock_guard guard(mutex_);
    Time oldest = clock_.Now() - kIdle;
    for (const auto& [id, upload] : open_) {
      if (upload.completing || upload.wish.place.project != project || oldest < upload.touched)
        continue;
      oldest = upload.touched;
      idle = id;
    }
    if (idle.empty()) return;
    open_.erase(idle);
  }
  Remove(idle, project);
}

std::optional<Principal> PartUploads::BegunBy(std::string_view id) const {
  std::lock_guard guard(mutex_);
  auto found = open_.find(id);
  if (found == open_.end()) return std::nullopt;
  return found->second.wish.by;
}

std::vector<std::string> PartUploads::FoldersOf(ProjectId project) const {
  std::vector<std::string> folders;
  std::lock_guard guard(mutex_);
  for (const auto& [id, upload] : open_) {
    if (upload.wish.place.project == project) folders.push_back(artifacts_.Within(FolderOf(id)));
  }
  return folders;
}

}  // namespace yard::control
