// How fragmentation-aware pools judge nodes: what a placement takes from the worth of a node.
//
// The outlook follows from the tasks that run and wait: their shapes, weighted by the power of two
// next to their number, so that it changes seldom and depends on nothing but the snapshot.
// Scores are remembered per shape and node until the node changes.
//
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sched/core/node_table.h"
#include "sched/place/frag_outlook.h"
#include "sched/snapshot.h"

namespace yard::sched {

class Worth {
 public:
  explicit Worth(const Snapshot& snapshot);

  // Tasks of a shape came (positive) or went.
  void Count(ShapeIndex shape, std::int64_t change);
  // Brings the outlook in line with the counts; call before a decision.
  void Prepare(const Snapshot& snapshot);

  // True if some task asks for a part of a GPU: only then fragments matter.
  bool Fractional() const { return fractional_; }

  struct Score {
    std::int64_t loss = 0;  // lower is better
    std::uint64_t gpus = 0;
  };
  // What putting the shape on the node costs; nothing if its GPUs, CPU or memory do not suffice.
  std::optional<Score> Of(const NodeTable& nodes, NodeIndex node, ShapeIndex shape) const;

 private:
  struct Remembered {
    std::uint32_t version = 0;  // of the node; 0: not scored yet
    std::optional<Score> score;
  };
  frag::TaskShape Light(const Snapshot& snapshot, const TaskShape& shape) const;

  std::vector<std::int64_t> counts_;            // by shape
  std::map<ShapeIndex, std::int64_t> rounded_;  // what the outlook was made from
  std::vector<frag::TaskShape> light_;          // by shape
  frag::ModelSupply supply_{};
  std::unique_ptr<frag::Outlook> outlook_;
  bool fractional_ = false;
  mutable std::vector<std::vector<Remembered>> scores_;  // [shape][node]
};

}  // namespace yard::sched
