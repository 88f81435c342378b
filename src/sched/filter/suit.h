// Does a kind of task suit a kind of node at all, empty or not?
#pragma once

#include "sched/core/node_table.h"
#include "sched/snapshot.h"

namespace yard::sched {

// The first of model, labels, taints, size that speaks against it, and the part of each GPU that
// the shape takes there.
ShapeFit Suits(const Snapshot& snapshot, const TaskShape& shape, const NodeClass& node_class);

// The part of a GPU with this memory that holds `wanted`; may exceed 1000.
std::int64_t PortionOf(Mebibytes wanted, Mebibytes gpu_memory);

}  // namespace yard::sched
