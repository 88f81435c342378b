// Who holds what a waiting workload lacks: running work inside the bound that refuses it, or on the
// nodes that would suit it. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/core/core.h"
#include "sched/reason.h"

namespace yard::sched {

struct Holder {
  WorkloadIndex workload;
  std::int64_t amount = 0;  // of the reason's resource; GPUs where it counts tasks
};

// Those who hold most first. None for reasons that nobody's work stands behind.
std::vector<Holder> HoldersOf(const Core& core, WorkloadIndex waiting, const Reason& reason);

}  // namespace yard::sched
