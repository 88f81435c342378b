// What data sets leave behind: removed versions, folders made for work, chunks that nothing uses.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/strings.h"
#include "control/data/datasets.h"
#include "control/data/shelf.h"
#include "data/folder.h"
#include "data/folder_writer.h"
#include "data/manifest.h"

namespace yard::control {
namespace {

namespace fs = std::filesystem;

constexpr Micros kViewKept = Days(7);
// An upload that was given up may be taken up again within this.
constexpr Micros kLeftovers = Days(1);
constexpr const char* kPartEnding = ".part";
constexpr std::uint64_t kRoomLeft = 256 << 20;
constexpr std::uint64_t kFilesLeft = 10'000;
constexpr std::uint64_t kBlock = 4096;
// A larger manifest takes more memory than the files that two versions share are worth.
constexpr std::size_t kMostShared = 32 << 20;

// The versions that a removal is about; the tag alone if others name the version too.
struct Doomed {
  std::vector<store::DataVersion> versions;
  std::string tag;
};

Result<Doomed> DoomedBy(const DataSets& sets, ProjectId project, const DataSets::Removal& removal) {
  const std::vector<DataSetListing> all = sets.List(project);
  auto set = std::ranges::find(all, removal.name, &DataSetListing::name);
  if (set == all.end()) {
    return Fail(Code::kNotFound,
                fmt::format("there is no data set '{}' in this project", removal.name),
                "`gpuyard data ls` lists them");
  }
  if (removal.which.empty()) return Doomed{set->versions, ""};
  YARD_ASSIGN(store::DataVersion version, sets.Find(project, removal.name, removal.which));
  const auto names = std::ranges::count(set->tags, version.id, &store::DataTag::version);
  const bool by_tag =
      std::ranges::find(set->tags, removal.which, &store::DataTag::tag) != set->tags.end();
  if (by_tag && names > 1) return Doomed{{}, removal.which};
  return Doomed{{std::move(version)}, ""};
}

Time UsedAt(const std::string& path) {
  struct stat about{};
  if (::lstat(path.c_str(), &about) != 0) return {};
  return {about.st_mtim.tv_sec * 1'000'000 + about.st_mtim.tv_nsec / 1000};
}

void Touch(const std::string& path, Time now) {
  const timespec time{.tv_sec = now.micros / 1'000'000, .tv_nsec = now.micros % 1'000'000 * 1000};
  const timespec times[2] = {time, time};
  ::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

bool IsThere(const std::string& path) {
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

// A power cut must not leave empty files under a name that promises whole ones.
Status PutInPlace(const std::string& part, const std::string& path) {
  YARD_ASSIGN(UniqueFd folder, data::OpenFolder(part));
  if (::syncfs(folder.get()) == 0 && ::rename(part.c_str(), path.c_str()) == 0) return {};
  return Fail(Code::kUnavailable, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

std::string NameOf(ProjectId project, const store::DataVersion& version) {
  return fmt::format("{}/{}", project.value, data::Hex(version.id));
}

// A chunk is stored once and written as often as files name it, and the smallest file takes a block
// of the disk and an entry of its table: so a small version can be larger than the disk.
Status RequireRoom(std::string_view manifest, std::uint64_t room, std::uint64_t files_left) {
  std::uint64_t wanted = 0;
  std::uint64_t files = 0;
  YARD_TRY(data::ReadManifest(manifest, [&](data::Entry&& entry) -> Status {
    ++files;
    wanted += kBlock;
    for (const data::Segment& segment : entry.segments) {
      if (!segment.is_hole) wanted += (segment.length + kBlock - 1) / kBlock * kBlock;
    }
    return {};
  }));
  if (files > files_left || files_left - files < kFilesLeft) {
    return Fail(
        Code::kTooLarge,
        fmt::format("it has {} files, and the server's disk takes {} more", files, files_left),
        "push fewer, for example as one archive");
  }
  if (wanted <= room && room - wanted >= kRoomLeft) return {};
  return Fail(Code::kTooLarge,
              fmt::format("its files take {} MiB, and the server's disk has {} MiB left",
                          wanted >> 20, room >> 20),
              "free space on the server's disk");
}

// The folder of another version, whose files become the new one's where they are the same.
class Neighbour {
 public:
  Neighbour(UniqueFd folder, std::vector<data::Entry> entries)
      : folder_(std::move(folder)), entries_(std::move(entries)) {}

  // Entries in order.
  bool Lend(data::FolderWriter& writer, const data::Entry& entry) {
    while (at_ < entries_.size() && data::ComesBefore(entries_[at_].path, entry.path)) ++at_;
    const bool same =
        entry.kind == data::Kind::kFile && at_ < entries_.size() && entries_[at_] == entry;
    return same && writer.Share(folder_.get(), entry);
  }

 private:
  UniqueFd folder_;
  std::vector<data::Entry> entries_;
  std::size_t at_ = 0;
};

struct ViewPaths {
  std::string part;
  std::optional<Neighbour> neighbour;
};

Status WriteView(store::DataSetStore& store, std::string_view manifest, ViewPaths paths,
                 const std::atomic<bool>& stopping) {
  YARD_ASSIGN(data::FolderWriter writer,
              data::FolderWriter::Open(paths.part, data::FolderWriter::Modes::kShared));
  auto read = [&](const data::ChunkId& id) -> Result<std::string> {
    if (stopping) return Fail(Code::kUnavailable, "the server stops");
    return store.Read(id);
  };
  YARD_TRY(data::ReadManifest(manifest, [&](data::Entry&& entry) -> Status {
    if (stopping) return Fail(Code::kUnavailable, "the server stops");
    if (paths.neighbour && paths.neighbour->Lend(writer, entry)) return {};
    return writer.Add(entry, read);
  }));
  return writer.Finish();
}

void RemoveView(const std::string& path) {
  if (Status gone = data::RemoveFolder(path); !gone)
    log::Warning("a folder of a data set stays", {{"error", gone.error().message}});
}

// The newest other version of the same data set that has a folder; none is no failure.
std::optional<Neighbour> NeighbourOf(store::DataSetStore& store, const DataSetListing& set,
                                     const data::ChunkId& id, const std::string& folder) {
  for (const store::DataVersion& version : set.versions | std::views::reverse) {
    const std::string path = fmt::format("{}/{}", folder, data::Hex(version.id));
    if (version.id == id || !IsThere(path)) continue;
    Result<StoredManifest> manifest = ReadStored(store, version.manifest);
    if (!manifest || manifest->bytes.size() > kMostShared) return std::nullopt;
    Result<std::vector<data::Entry>> entries = data::ReadManifest(manifest->bytes);
    Result<UniqueFd> opened = data::OpenFolder(path);
    if (!entries || !opened) return std::nullopt;
    return Neighbour(*std::move(opened), *std::move(entries));
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t RoomOnDisk(const std::string& folder) {
  struct statvfs about{};
  if (::statvfs(folder.c_str(), &about) != 0) return 0;
  return std::uint64_t{about.f_bavail} * about.f_frsize;
}

std::uint64_t FilesLeftOnDisk(const std::string& folder) {
  struct statvfs about{};
  if (::statvfs(folder.c_str(), &about) != 0) return 0;
  // Some file systems have no table of files.
  return about.f_files == 0 ? std::numeric_limits<std::uint64_t>::max() : about.f_favail;
}

Result<DataSets::Removed> DataSets::Remove(ProjectId project, const Removal& removal) {
  YARD_ASSIGN(auto shelf, ShelfOf(project));
  const std::lock_guard hold(shelf->changes);
  YARD_ASSIGN(Doomed doomed, DoomedBy(*this, project, removal));
  for (const store::DataVersion& version : doomed.versions) {
    if (!removal.in_use.contains({project, version.id})) continue;
    return Fail(Code::kConflict,
                fmt::format("version {} of '{}' is used by work that has not ended",
                            data::Hex(version.id).substr(0, 12), removal.name),
                "wait for that work, or cancel it");
  }
  Removed removed;
  if (!doomed.tag.empty()) YARD_TRY(shelf->store->RemoveTag(removal.name, doomed.tag));
  for (const store::DataVersion& version : doomed.versions) {
    YARD_ASSIGN(StoredManifest manifest, ReadStored(*shelf->store, version.manifest));
    YARD_TRY(shelf->store->RemoveVersion(version, WalkVersion(manifest)));
    const std::lock_guard viewing(shelf->viewing);
    RemoveView(fmt::format("{}/{}/{}", views(), project.value, data::Hex(version.id)));
    ++removed.versions;
  }
  YARD_TRY(shelf->Reload());
  YARD_ASSIGN(removed.freed_bytes, shelf->store->Sweep(shelf->KeepAfter(options_.clock.Now())));
  return removed;
}

Status DataSets::MakeView(Shelf& shelf, const store::DataVersion& version,
                          const std::atomic<bool>& stopping) const {
  const std::string path = fmt::format("{}/{}", views(), NameOf(shelf.project, version));
  const std::string part = path + kPartEnding;
  {
    const std::lock_guard hold(shelf.viewing);
    // Made between the look of the one who asked and the order.
    if (IsThere(path)) return {};
    shelf.making = part;
  }
  auto write = [&]() -> Status {
    YARD_TRY(data::RemoveFolder(part));
    YARD_ASSIGN(StoredManifest manifest, ReadStored(*shelf.store, version.manifest));
    YARD_TRY(RequireRoom(manifest.bytes, options_.room(views()), options_.files_left(views())));
    ViewPaths paths{part, std::nullopt};
    for (const DataSetListing& set : shelf.List()) {
      if (set.name != version.name || manifest.bytes.size() > kMostShared) continue;
      paths.neighbour = NeighbourOf(*shelf.store, set, version.id, fs::path(path).parent_path());
    }
    return WriteView(*shelf.store, manifest.bytes, std::move(paths), stopping);
  };
  Status made = write();
  if (made) made = PutInPlace(part, path);
  if (!made) RemoveView(part);
  const std::lock_guard hold(shelf.viewing);
  shelf.making.clear();
  return made;
}

Result<std::string> DataSets::View(ProjectId project, const store::DataVersion& version) {
  YARD_ASSIGN(auto shelf, ShelfOf(project));
  std::string name = NameOf(project, version);
  const std::string path = fmt::format("{}/{}", views(), name);
  const Time now = options_.clock.Now();
  auto there = [&] {
    const std::lock_guard hold(shelf->viewing);
    const bool found = IsThere(path);
    if (found) Touch(path, now);
    return found;
  };
  if (there()) return name;
  auto make = [this, shelf, version](const std::atomic<bool>& stopping) {
    return MakeView(*shelf, version, stopping);
  };
  std::optional<Status> made = maker_.Ask({project, name, std::move(make)}, now);
  if (made && *made && there()) return name;
  if (!made || *made)
    return Fail(Code::kTooMany, fmt::format("data set '{}' is being made ready", version.name));
  return Fail(
      made->error().code,
      fmt::format("data set '{}' cannot be made ready: {}", version.name, made->error().message),
      made->error().details);
}

void DataSets::Tidy(const std::set<DataUse>& in_use) {
  std::vector<std::shared_ptr<Shelf>> shelves;
  {
    const std::lock_guard hold(mutex_);
    for (const auto& [project, shelf] : shelves_) shelves.push_back(shelf);
  }
  const Time now = options_.clock.Now();
  for (const auto& shelf : shelves) {
    const Time before = std::min(shelf->KeepAfter(now), now - kLeftovers);
    if (Result<std::int64_t> freed = shelf->store->Sweep(before); !freed)
      log::Warning("chunks could not be swept", {{"error", freed.error().message}});
    const std::lock_guard hold(shelf->viewing);
    std::error_code error;
    for (const fs::directory_entry& item :
         fs::directory_iterator(fmt::format("{}/{}", views(), shelf->project.value), error)) {
      const auto version = data::ParseHex(item.path().filename().string());
      const bool used = version && in_use.contains({shelf->project, *version});
      const bool fresh = version && UsedAt(item.path().string()) + kViewKept > now;
      const bool going_on = item.path().string() == shelf->making;
      if (!used && !fresh && !going_on) RemoveView(item.path().string());
    }
  }
}

}  // namespace yard::control
