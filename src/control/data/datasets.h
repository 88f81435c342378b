// The data sets of all projects: what there is, what comes in, and folders of it for work.
//
// Not journaled and not in State: chunks come in large numbers, and a version is committed by one
// transaction of its project's store. A catalogue in memory answers questions about names and
// versions; everything else does input and output. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "control/data/view_maker.h"
#include "data/chunk.h"
#include "model/ids.h"
#include "store/datasets.h"

namespace yard::control {

inline constexpr std::string_view kUsualTag = "latest";

// Letters, digits, `-`, `_` and `.`, a letter or digit first, at most 63.
Status CheckDataName(std::string_view what, std::string_view name);

std::uint64_t RoomOnDisk(const std::string& folder);
std::uint64_t FilesLeftOnDisk(const std::string& folder);

struct DataSetsOptions {
  std::string folder;
  const Clock& clock;
  std::function<Result<std::unique_ptr<store::DataSetStore>>(const std::string& folder)> open;
  // Bytes that a folder's disk has left.
  std::function<std::uint64_t(const std::string& folder)> room = RoomOnDisk;
  std::function<std::uint64_t(const std::string& folder)> files_left = FilesLeftOnDisk;
  // Of a project. All of it is in memory.
  std::size_t most_versions = 10'000;
  std::size_t most_tags = 10'000;
  std::size_t most_manifest_chunks = 400'000;
};

struct NewVersion {
  std::string name;
  std::string tag;
  std::vector<data::ChunkId> manifest;
  std::string created_by;
  std::string origin = {};
  std::string push = {};  // the push that ends with it
};

struct CommittedVersion {
  std::vector<data::ChunkId> missing;  // if there are any, nothing was committed
  store::DataVersion version;
};

// One data set as it is listed.
struct DataSetListing {
  std::string name;
  std::vector<store::DataTag> tags;
  std::vector<store::DataVersion> versions;  // oldest first
};

// A version that some work uses: by project and id.
using DataUse = std::pair<ProjectId, data::ChunkId>;

class DataSets {
 public:
  static Result<std::unique_ptr<DataSets>> Open(DataSetsOptions options);

  // From memory; do not block.
  std::vector<DataSetListing> List(ProjectId project) const;
  // `which` is a tag, or at least 8 digits of a version's id; empty: the usual tag.
  Result<store::DataVersion> Find(ProjectId project, std::string_view name,
                                  std::string_view which) const;

  // `push` names an upload that goes on: what it was told of stays until it ends or is silent for
  // an hour.
  Result<std::vector<data::ChunkId>> Missing(ProjectId project, const std::string& push,
                                             std::span<const data::ChunkId> ids);
  // Verifies each chunk. Answers how many were new.
  Result<std::int64_t> Put(ProjectId project, const std::string& push, std::string_view frames);
  // Frames, verified.
  Result<std::string> Read(ProjectId project, std::span<const data::ChunkId> ids);
  Result<CommittedVersion> Commit(ProjectId project, NewVersion fresh);

  // A tag with the version that only it names, one version, or with an empty `which` all of them;
  // frees what nothing uses. kConflict names a version that is in use.
  struct Removal {
    std::string name;
    std::string which;
    std::set<DataUse> in_use;
  };
  struct Removed {
    std::int64_t versions = 0;
    std::int64_t freed_bytes = 0;
  };
  Result<Removed> Remove(ProjectId project, const Removal& removal);
  Result<std::int64_t> StoredBytes(ProjectId project);

  // A folder with the version's files for work to read, as a path below `views()`. Made when first
  // asked for: kTooMany as long as that takes.
  Result<std::string> View(ProjectId project, const store::DataVersion& version);
  std::string views() const { return options_.folder + "/views"; }
  // Views that no work uses and nobody asked for in a week, and chunks that no version uses.
  void Tidy(const std::set<DataUse>& in_use);

 private:
  struct Shelf;  // one project's

  explicit DataSets(DataSetsOptions options) : options_(std::move(options)) {}
  Status Load();
  Result<std::shared_ptr<Shelf>> ShelfOf(ProjectId project);
  std::shared_ptr<Shelf> ShelfIfAny(ProjectId project) const;
  Result<std::shared_ptr<Shelf>> OpenShelf(ProjectId project);
  Status MakeView(Shelf& shelf, const store::DataVersion& version,
                  const std::atomic<bool>& stopping) const;

  const DataSetsOptions options_;

  std::mutex large_;  // held while a large manifest is read: one takes several times its bytes
  mutable std::mutex mutex_;
  std::map<ProjectId, std::shared_ptr<Shelf>> shelves_;

  ViewMaker maker_;  // the last: its threads use the others
};

}  // namespace yard::control
