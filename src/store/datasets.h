// The data sets of one project: chunks by their id, versions that use them, tags that name
// versions.
//
// Each project has a store of its own: a chunk's id means nothing in another project's. A version
// is committed only if every chunk it uses is there, and from then on they stay; tags move in the
// same transaction. What no version uses goes with Sweep. What was acknowledged is on disk.
// Thread-safe; every call does input and output.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "data/chunk.h"
#include "data/frame.h"

namespace yard::store {

struct DataVersion {
  data::ChunkId id;
  std::string name;                     // of the data set
  std::vector<data::ChunkId> manifest;  // the chunks of its manifest, in order
  std::int64_t files = 0;
  std::int64_t bytes = 0;  // of all files
  Time created_at;
  std::string created_by;
  std::string origin;  // the workload that made it; empty: a person
};

struct DataTag {
  std::string name;
  std::string tag;
  data::ChunkId version;
  Time moved_at;
};

// Calls `use` for every chunk of a version, as often as the version uses it.
using UseChunk = std::function<Status(const data::ChunkId& id, std::uint64_t length)>;
using WalkChunks = std::function<Status(const UseChunk& use)>;

class DataSetStore {
 public:
  virtual ~DataSetStore() = default;

  virtual Result<std::vector<DataVersion>> Versions() = 0;
  virtual Result<std::vector<DataTag>> Tags() = 0;

  // Those of the ids that are not here. Those that are will outlive a Sweep for pushes since `now`.
  virtual Result<std::vector<data::ChunkId>> Missing(std::span<const data::ChunkId> ids,
                                                     Time now) = 0;
  // The caller has checked that content and ids agree. Answers how many were new.
  virtual Result<std::int64_t> Put(std::span<const data::Frame> frames, Time now) = 0;
  // Verified. A damaged chunk is kUnavailable, with its id and its place.
  virtual Result<std::string> Read(const data::ChunkId& id) = 0;

  // Answers with chunks that are missing (at most some thousand of them); none: it is committed and
  // tagged. A version that is there already is only tagged.
  virtual Result<std::vector<data::ChunkId>> Commit(const DataVersion& version,
                                                    const std::string& tag,
                                                    const WalkChunks& walk) = 0;
  virtual Status RemoveTag(const std::string& name, const std::string& tag) = 0;
  // With all tags of it.
  virtual Status RemoveVersion(const DataVersion& version, const WalkChunks& walk) = 0;

  // Removes chunks that no version uses and nobody asked for since `before`. The bytes freed.
  virtual Result<std::int64_t> Sweep(Time before) = 0;
  // On disk, for all versions together.
  virtual Result<std::int64_t> StoredBytes() = 0;
};

}  // namespace yard::store
