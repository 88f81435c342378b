// One project's data sets: its store, its catalogue in memory, and the pushes that go on. Internal
// to control/data. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "control/data/datasets.h"
#include "store/datasets.h"

namespace yard::control {

// The manifest of a version as it lies in the store, each chunk verified.
struct StoredManifest {
  std::vector<std::pair<data::ChunkId, std::uint64_t>> chunks;  // with their lengths
  std::string bytes;
};
Result<StoredManifest> ReadStored(store::DataSetStore& store,
                                  std::span<const data::ChunkId> chunks);

// Calls for each chunk of the manifest and of the files it names. `manifest` must outlive it.
store::WalkChunks WalkVersion(const StoredManifest& manifest);

struct DataSets::Shelf {
  ProjectId project;
  std::unique_ptr<store::DataSetStore> store;

  Status Reload();
  std::vector<DataSetListing> List() const;
  Result<store::DataVersion> Find(std::string_view name, std::string_view which) const;
  // That there is room for the tag, and for the version if it is not there already.
  Status CheckCounts(const store::DataVersion& fresh, std::string_view tag,
                     const DataSetsOptions& most) const;
  // The push goes on. The shelf keeps the chunks that it counts on.
  void Note(const std::string& push, Time now);
  void End(const std::string& push);
  // What was touched before this can go.
  Time KeepAfter(Time now);

  std::mutex changes;  // one commit or removal at a time, with the catalogue renewed
  std::mutex viewing;  // held while a view is looked for or removed, not while one is written
  std::string making;  // the folder that is being written; guarded by viewing

 private:
  struct Push {
    Time begun;
    Time last;
  };

  mutable std::mutex mutex_;
  std::vector<store::DataVersion> versions_;
  std::vector<store::DataTag> tags_;
  std::map<std::string, Push> pushes_;
};

}  // namespace yard::control
