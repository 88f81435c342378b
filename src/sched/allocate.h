// Starts what fits, in order of fairness. Internal to sched.
//
// Every workload first tries the first pool of its order, then those left over their second, and
// so on; within one round the pools are independent of each other.
#pragma once

#include "sched/decision.h"

namespace yard::sched {

void Allocate(Decision& decision);

// More tasks for running elastic workloads, from what nobody waiting can use.
void Grow(Decision& decision);

enum class LineFilter : std::uint8_t {
  kAll,
  kOpen,  // not refused by the nodes
};

// Lines with workloads left that have this pool at this place of their order.
std::vector<LineIndex> LinesAt(Decision& decision, PoolIndex pool, std::size_t place,
                               LineFilter filter);

}  // namespace yard::sched
