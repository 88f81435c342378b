// Where does one task go? The best node of a pool for a task, and the GPUs there.
//
// Nodes are compared by a preference (lower is better, ties by node index):
//   bin-pack   whole GPUs: fewest idle GPUs; parts: the partly used GPU that fits most tightly,
//              then the node with fewest idle GPUs; no GPU: nodes without GPUs, then least free CPU
//   spread     the reverse
//   fragmentation-aware   what the placement takes from the worth of the node (worth.h); where
//              nobody asks for parts of GPUs, as bin-pack
// The buckets of the NodeTable are walked in order of preference, so that only nodes that fail on
// CPU, memory or extended resources are looked at in vain. Multi-GPU tasks look at a few equally
// good nodes for one with close GPUs.
#pragma once

#include <optional>
#include <span>

#include "sched/core/node_table.h"
#include "sched/filter/fit.h"
#include "sched/snapshot.h"

namespace yard::sched {

// Which nodes may be used at all. Empty: every node of the pool.
struct Scope {
  std::span<const NodeIndex> only;      // if not empty: these
  NodeIndex except = kNone<NodeIndex>;  // never this one
};

struct Found {
  std::optional<TaskPlacement> at;  // group is left 0
  FitGap gap;                       // else: what a node with enough GPUs lacked, if there was one
};

Found FindPlace(const Snapshot& snapshot, const NodeTable& nodes, ShapeIndex shape, PoolIndex pool,
                const Scope& scope);

// The same by looking at every node: the definition that FindPlace must agree with.
Found FindPlaceByScan(const Snapshot& snapshot, const NodeTable& nodes, ShapeIndex shape,
                      PoolIndex pool, const Scope& scope);

}  // namespace yard::sched
