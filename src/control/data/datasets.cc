#include "control/data/datasets.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/strings.h"
#include "control/data/shelf.h"
#include "data/cut.h"
#include "data/frame.h"
#include "data/manifest.h"

namespace yard::control {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestDataName = 63;
constexpr std::size_t kMostReadBytes = 16 << 20;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 60;
constexpr std::size_t kLargeManifest = 16;  // chunks

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// The ids stay in memory: 32 bytes for as much content as clients cut at the least.
Status CheckPieces(const StoredManifest& manifest) {
  if (manifest.chunks.size() <= manifest.bytes.size() / data::kShortestCut + 1) return {};
  return Fail(Code::kInvalid,
              fmt::format("the manifest of {} bytes comes in {} chunks", manifest.bytes.size(),
                          manifest.chunks.size()),
              fmt::format("cut it into chunks of at least {} bytes", data::kShortestCut));
}

// How many files, and their bytes.
Status Count(std::string_view manifest, store::DataVersion& version) {
  return data::ReadManifest(manifest, [&](data::Entry&& entry) -> Status {
    if (entry.kind != data::Kind::kFile) return {};
    ++version.files;
    version.bytes += static_cast<std::int64_t>(entry.size);
    if (version.bytes <= kMostBytes) return {};
    return Fail(Code::kTooLarge, "the files of a version are at most 1 EiB long together");
  });
}

}  // namespace

Status CheckDataName(std::string_view what, std::string_view name) {
  const bool sound = !name.empty() && name.size() <= kLongestDataName && IsPlain(name.front()) &&
                     std::ranges::all_of(name, [](char c) {
                       return IsPlain(c) || c == '-' || c == '_' || c == '.';
                     });
  if (sound) return {};
  return Fail(Code::kInvalid,
              fmt::format("'{}' is no {}", data::Printable(name.substr(0, 100)), what),
              "letters, digits, '-', '_' and '.', at most 63, a letter or digit first");
}

Result<std::unique_ptr<DataSets>> DataSets::Open(DataSetsOptions options) {
  std::unique_ptr<DataSets> sets(new DataSets(std::move(options)));
  YARD_TRY(sets->Load());
  return sets;
}

Status DataSets::Load() {
  std::error_code error;
  for (const char* part : {"/projects", "/views"}) {
    fs::create_directories(options_.folder + part, error);
    if (error) {
      return Fail(Code::kUnavailable,
                  fmt::format("cannot make {}: {}", options_.folder, error.message()));
    }
  }
  fs::permissions(options_.folder, fs::perms::owner_all, error);
  for (const fs::directory_entry& item :
       fs::directory_iterator(options_.folder + "/projects", error)) {
    const auto number = ParseInt(item.path().filename().string());
    if (!number) continue;
    YARD_ASSIGN(auto shelf, OpenShelf(ProjectId{*number}));
    shelves_[shelf->project] = std::move(shelf);
  }
  return {};
}

Result<std::shared_ptr<DataSets::Shelf>> DataSets::OpenShelf(ProjectId project) {
  auto shelf = std::make_shared<Shelf>();
  shelf->project = project;
  YARD_ASSIGN(shelf->store,
              options_.open(fmt::format("{}/projects/{}", options_.folder, project.value)));
  YARD_TRY(shelf->Reload());
  return shelf;
}

Result<std::shared_ptr<DataSets::Shelf>> DataSets::ShelfOf(ProjectId project) {
  const std::lock_guard hold(mutex_);
  auto found = shelves_.find(project);
  if (found != shelves_.end()) return found->second;
  YARD_ASSIGN(auto shelf, OpenShelf(project));
  shelves_[project] = shelf;
  return shelf;
}

std::shared_ptr<DataSets::Shelf> DataSets::ShelfIfAny(ProjectId project) const {
  const std::lock_guard hold(mutex_);
  auto found = shelves_.find(project);
  return found == shelves_.end() ? nullptr : found->second;
}

std::vector<DataSetListing> DataSets::List(ProjectId project) const {
  auto shelf = ShelfIfAny(project);
  return shelf ? shelf->List() : std::vector<DataSetListing>();
}

Result<store::DataVersion> DataSets::Find(ProjectId project, std::string_view name,
                                          std::string_view which) const {
  static const Shelf empty;
  auto shelf = ShelfIfAny(project);
  return (shelf ? *shelf : empty).Find(name, which);
}

Result<std::vector<data::ChunkId>> DataSets::Missing(ProjectId project, const std::string& push,
                                                     std::span<const data::ChunkId> ids) {
  YARD_ASSIGN(auto shelf, ShelfOf(project));
  const Time now = options_.clock.Now();
  shelf->Note(push, now);
  return shelf->store->Missing(ids, now);
}

Result<std::int64_t> DataSets::Put(ProjectId project, const std::string& push,
                                   std::string_view bytes) {
  YARD_ASSIGN(std::vector<data::Frame> frames, data::ReadFrames(bytes));
  for (const data::Frame& frame : frames) YARD_TRY(data::Unpack(frame));
  YARD_ASSIGN(auto shelf, ShelfOf(project));
  const Time now = options_.clock.Now();
  shelf->Note(push, now);
  return shelf->store->Put(frames, now);
}

Result<std::string> DataSets::Read(ProjectId project, std::span<const data::ChunkId> ids) {
  std::string out;
  if (ids.empty()) return out;
  auto shelf = ShelfIfAny(project);
  if (!shelf)
    return Fail(Code::kNotFound, fmt::format("there is no chunk {}", data::Hex(ids.front())));
  std::size_t length = 0;
  for (const data::ChunkId& id : ids) {
    YARD_ASSIGN(std::string content, shelf->store->Read(id));
    length += content.size();
    if (length > kMostReadBytes)
      return Fail(Code::kTooLarge, "these chunks are more than 16 MiB", "ask for fewer at once");
    data::AppendPacked(out, id, content);
  }
  return out;
}

Result<CommittedVersion> DataSets::Commit(ProjectId project, NewVersion fresh) {
  YARD_TRY(CheckDataName("name of a data set", fresh.name));
  YARD_TRY(CheckDataName("tag", fresh.tag));
  YARD_ASSIGN(auto shelf, ShelfOf(project));
  CommittedVersion done;
  const Time now = options_.clock.Now();
  shelf->Note(fresh.push, now);
  YARD_ASSIGN(done.missing, shelf->store->Missing(fresh.manifest, now));
  if (!done.missing.empty()) return done;
  std::unique_lock large(large_, std::defer_lock);
  if (fresh.manifest.size() > kLargeManifest) large.lock();
  YARD_ASSIGN(StoredManifest manifest, ReadStored(*shelf->store, fresh.manifest));
  done.version = {.id = data::IdOf(manifest.bytes),
                  .name = fresh.name,
                  .manifest = std::move(fresh.manifest),
                  .created_at = now,
                  .created_by = std::move(fresh.created_by),
                  .origin = std::move(fresh.origin)};
  YARD_TRY(CheckPieces(manifest));
  YARD_TRY(Count(manifest.bytes, done.version));
  const std::lock_guard hold(shelf->changes);
  YARD_TRY(shelf->CheckCounts(done.version, fresh.tag, options_));
  YARD_ASSIGN(done.missing, shelf->store->Commit(done.version, fresh.tag, WalkVersion(manifest)));
  if (!done.missing.empty()) return done;
  shelf->End(fresh.push);
  YARD_TRY(shelf->Reload());
  return done;
}

Result<std::int64_t> DataSets::StoredBytes(ProjectId project) {
  auto shelf = ShelfIfAny(project);
  if (!shelf) return 0;
  return shelf->store->StoredBytes();
}

}  // namespace yard::control
