// Why the nodes of a pool refuse a workload, told from what the search saw and from the sums that
// the NodeTable keeps: costs no look at single nodes.
#pragma once

#include <vector>

#include "sched/core/core.h"
#include "sched/filter/fit.h"
#include "sched/reason.h"

namespace yard::sched {

// What a failed search saw.
struct Failure {
  ShapeIndex shape;         // the task that found no place
  FitGap gap;               // what a node with enough GPUs lacked
  std::int32_t placed = 0;  // tasks that had found one
};

// Every amount of the task that no node in service of the pool has, even when empty; none if no
// single amount is too much.
std::vector<Reason> TooLarge(const Core& core, ShapeIndex shape, PoolIndex pool);

Reason Diagnose(const Core& core, const Spec& spec, PoolIndex pool, const Failure& failure);

}  // namespace yard::sched
