// Does a task fit on a node now? The same test serves placement and explanation.
#pragma once

#include "sched/core/node_table.h"

namespace yard::sched {

struct FitGap {
  Cause cause = Cause::kNone;  // kNone: it fits
  std::int64_t has = 0;        // in units of the missing resource
  std::int64_t needs = 0;
};

// CPU, memory and extended resources.
FitGap RestGap(const NodeTable& nodes, NodeIndex node, const TaskShape& shape);

// Everything: service, class, GPUs, then the rest.
FitGap NodeGap(const NodeTable& nodes, NodeIndex node, const Snapshot& snapshot, ShapeIndex shape);

// How many GPUs of the node have `each` free.
std::int32_t RoomyGpus(const NodeTable& nodes, NodeIndex node, std::int16_t each);

}  // namespace yard::sched
