// The numbers that a waiting workload's place in the queue is made of, as they are now.
#pragma once

#include <optional>

#include "sched/core/core.h"

namespace yard::sched {

// Of one queue in the pool that the workload tries first.
struct QueueTerms {
  MilliGpu held;
  MilliGpu share;                 // fair share
  std::optional<MilliGpu> quota;  // none: unlimited
};

struct Standing {
  Fairness fairness = Fairness::kFairShare;  // the policy that orders its queue
  PoolIndex pool = kNone<PoolIndex>;
  QueueTerms project;
  std::optional<QueueTerms> department;
  std::int32_t priority = 0;
  MilliGpu wants;
  // Where GPUs are counted by person: what the person holds, without this workload.
  std::optional<MilliGpu> user_held;
};

// The workload must wait.
Standing StandingOf(Core& core, WorkloadIndex index);

}  // namespace yard::sched
