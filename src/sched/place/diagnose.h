// Why the nodes of a pool refuse a workload, told from what the search saw and from the sums that
// the NodeTable keeps: costs no look at single nodes.
#pragma once

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

Reason Diagnose(const Core& core, const Spec& spec, PoolIndex pool, const Failure& failure);

}  // namespace yard::sched
