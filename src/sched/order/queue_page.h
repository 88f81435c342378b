// The order in which the original queue page lists running workloads.
//
// Within one user: without GPU first, then higher user priority, then earlier start, then name; a
// workload's ordinal is the running sum of the user's GPUs. Across users: without GPU first, known
// users before anonymous work, lower ordinal first, among equals the younger, then name.
#pragma once

#include <vector>

#include "sched/snapshot.h"

namespace yard::sched {

struct QueuePageRow {
  WorkloadIndex workload;
  MilliGpu user_ordinal;    // the user's nth GPU
  MilliGpu global_ordinal;  // GPUs down to this row
};

std::vector<QueuePageRow> QueuePage(const Snapshot& snapshot);

}  // namespace yard::sched
