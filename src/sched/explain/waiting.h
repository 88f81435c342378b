// All that wait at once: why, and in which order they are considered.
#pragma once

#include <vector>

#include "sched/core/core.h"
#include "sched/explain/binding.h"
#include "sched/order/terms.h"

namespace yard::sched {

// Workloads that wait in one line: what keeps one of them keeps all.
struct WaitingLine {
  Binding binding;
  std::vector<WorkloadIndex> workloads;  // in job order
};

// Every waiting workload that the plan of this moment does not start.
std::vector<WaitingLine> ReasonsOfWaiting(Core& core);

struct Waiter {
  WorkloadIndex workload;
  OrderTerms terms;  // what put it there
};

// Every waiting workload, in the order in which the scheduler would serve them if there were room
// for all, pool by pool: each in the pool that it tries first.
std::vector<Waiter> OrderOfWaiting(Core& core);

}  // namespace yard::sched
