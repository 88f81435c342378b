#include "data/intake.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "data/cut.h"

namespace yard::data {
namespace {

constexpr std::size_t kMostNamed = 20;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

bool IsZeros(std::string_view bytes) {
  return bytes.front() == '\0' &&
         std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

void AddHole(std::vector<Segment>& segments, std::uint64_t length) {
  if (!segments.empty() && segments.back().is_hole) {
    segments.back().length += length;
  } else {
    segments.push_back({length, true, {}});
  }
}

}  // namespace

FolderIntake::FolderIntake(IntakeLimits limits, Keep keep)
    : limits_(limits),
      keep_(std::move(keep)),
      reader_(TarContents::kFollow,
              {.entry = [this](TarEntry&& entry) { return Begin(std::move(entry)); },
               .bytes = [this](std::string_view bytes) -> Status {
                 if (!wanted_) return {};
                 buffer_ += bytes;
                 return Cut(More::kComes);
               },
               .file_end = [this] { return wanted_ ? Cut(More::kDoesNot) : Status(); }}) {}

void FolderIntake::LeaveOut(std::string_view path) {
  ++taken_.left_out_count;
  if (taken_.left_out.size() < kMostNamed)
    taken_.left_out.push_back(Printable(path.substr(0, 300)));
}

Status FolderIntake::Begin(TarEntry&& tar) {
  wanted_ = false;
  std::string_view path = tar.path;
  while (path.ends_with('/')) path.remove_suffix(1);
  if (!std::exchange(begun_, true) && tar.kind == TarKind::kFolder) {
    root_ = fmt::format("{}/", path);
    return {};
  }
  if (!path.starts_with(root_)) return {};
  path.remove_prefix(root_.size());
  const bool is_odd_link =
      tar.kind == TarKind::kLink &&
      (tar.target.empty() || tar.target.size() > kLongestPath || tar.target.contains('\0'));
  if (tar.kind == TarKind::kOther || is_odd_link || !CheckPath(path)) {
    LeaveOut(path);
    return {};
  }
  Entry entry{.path = std::string(path),
              .kind = Kind::kFile,
              .mode = tar.mode & 0777,
              .mtime_ns = tar.mtime * kNanosPerSecond,
              .size = tar.size,
              .target = {},
              .segments = {}};
  if (tar.kind == TarKind::kFolder) entry.kind = Kind::kFolder;
  if (tar.kind == TarKind::kLink) {
    entry.kind = Kind::kLink;
    entry.target = std::move(tar.target);
  }
  return Add(std::move(entry));
}

Status FolderIntake::Add(Entry entry) {
  name_bytes_ += entry.path.size() + entry.target.size();
  if (entries_.size() >= limits_.entries || name_bytes_ > limits_.name_bytes)
    return Fail(Code::kTooLarge,
                fmt::format("there are more than {} files and folders", entries_.size()),
                "save fewer, for example as one archive");
  if (entry.size > limits_.bytes - bytes_)
    return Fail(
        Code::kTooLarge,
        fmt::format("with '{}' it is more than {} GiB", Printable(entry.path), limits_.bytes >> 30),
        "save a part of it");
  wanted_ = entry.kind == Kind::kFile;
  if (wanted_) bytes_ += entry.size;
  entries_.push_back(std::move(entry));
  return {};
}

Status FolderIntake::Cut(More more) {
  std::vector<Segment>& segments = entries_.back().segments;
  std::string_view left = buffer_;
  while (left.size() >= kLongestChunk || (more == More::kDoesNot && !left.empty())) {
    if (left.size() >= kLongestChunk && IsZeros(left.substr(0, kLongestChunk))) {
      AddHole(segments, kLongestChunk);
      left.remove_prefix(kLongestChunk);
      continue;
    }
    const std::string_view chunk = left.substr(0, CutAt(left));
    YARD_ASSIGN(const ChunkId id, keep_(chunk));
    segments.push_back({chunk.size(), false, id});
    left.remove_prefix(chunk.size());
  }
  buffer_.erase(0, buffer_.size() - left.size());
  return {};
}

// Into the order of a manifest, without what came twice (the first stays) and what lies in a folder
// that was left out.
void FolderIntake::Arrange() {
  std::vector<std::size_t> order(entries_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [this](std::size_t a, std::size_t b) {
    const std::string& path = entries_[a].path;
    const std::string& other = entries_[b].path;
    return path == other ? a < b : ComesBefore(path, other);
  });
  std::unordered_set<std::string_view> folders;
  std::string_view before;
  std::vector<Entry> kept;
  kept.reserve(entries_.size());
  for (const std::size_t index : order) {
    Entry& entry = entries_[index];
    const std::size_t slash = entry.path.rfind('/');
    const bool has_place = slash == std::string::npos ||
                           folders.contains(std::string_view(entry.path).substr(0, slash));
    if (!has_place || entry.path == before) {
      LeaveOut(entry.path);
      continue;
    }
    if (entry.kind == Kind::kFile) {
      ++taken_.files;
      taken_.bytes += static_cast<std::int64_t>(entry.size);
    }
    kept.push_back(std::move(entry));
    before = kept.back().path;  // reserved, so it stays where it is
    if (kept.back().kind == Kind::kFolder) folders.insert(before);
  }
  entries_ = std::move(kept);
}

Result<TakenFolder> FolderIntake::Finish() {
  if (!ended()) return Fail(Code::kUnavailable, "the folder did not come as a whole");
  Arrange();
  taken_.manifest = WriteManifest(entries_);
  if (taken_.manifest.size() > kMostManifestBytes)
    return Fail(Code::kTooLarge, "there are too many files", "save fewer");
  for (std::string_view left = taken_.manifest; !left.empty();) {
    const std::string_view chunk = left.substr(0, CutAt(left));
    YARD_ASSIGN(const ChunkId id, keep_(chunk));
    taken_.chunks.push_back(id);
    left.remove_prefix(chunk.size());
  }
  return std::move(taken_);
}

}  // namespace yard::data
