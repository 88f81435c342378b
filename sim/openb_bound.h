// What no placement of an openb run can beat, not even one that knows all arrivals beforehand,
// may move and refuse tasks as it likes, and may split a task between nodes of one kind.
//
// The problem "place as many milli-GPU as possible" is relaxed to sums per kind of node (GPUs, CPU,
// memory) and to dual feasible functions of the parts of GPUs: two tasks of 600 milli cannot share
// a GPU, and beside one of 810 milli only tasks of up to 190 fit. Every choice of prices for these
// sums gives a bound (weak duality); the prices are improved step by step, so that a better search
// only makes the bound tighter, never wrong.
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "sim/openb.h"

namespace yard::sim {

// At most so many milli-GPU of the tasks can be allocated on the empty nodes.
std::int64_t MostAllocatableMilli(std::span<const sched::frag::NodeShape> nodes,
                                  std::span<const sched::frag::TaskShape> tasks);

// The measure of RunOpenb at a load of 100 %: no policy leaves less unallocated.
double LeastUnallocatedPctAt100(const OpenbTrace& trace, std::uint64_t seed);

}  // namespace yard::sim
