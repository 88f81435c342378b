// Chunks on their way into the store of a project, a batch at a time. One thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "control/data/datasets.h"

namespace yard::control {

class ChunkBatch {
 public:
  // `push` as DataSets::Missing has it.
  ChunkBatch(DataSets& sets, ProjectId project, std::string push)
      : sets_(sets), project_(project), push_(std::move(push)) {}

  Result<data::ChunkId> Add(std::string_view chunk);
  Status Flush();

 private:
  DataSets& sets_;
  const ProjectId project_;
  const std::string push_;
  std::vector<std::pair<data::ChunkId, std::string>> chunks_;
  std::size_t bytes_ = 0;
};

}  // namespace yard::control
