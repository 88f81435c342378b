// Why a workload stands where it stands in the order: the values it was compared by.
#pragma once

#include <optional>
#include <vector>

#include "base/quantity.h"
#include "sched/index.h"
#include "sched/snapshot.h"

namespace yard::sched {

// What a queue was ranked by among its siblings. It counts as holding what it holds and what its
// waiting work ahead would take.
struct QueueTerms {
  QueueIndex queue;
  MilliGpu held;
  MilliGpu ahead;
  MilliGpu share;                 // fair share
  std::optional<MilliGpu> quota;  // none: unlimited
  std::int32_t priority = 0;
};

struct OrderTerms {
  Fairness fairness = Fairness::kFairShare;  // the rule inside its queue
  PoolIndex pool;                            // the one it tries first
  MilliGpu wants;
  std::vector<QueueTerms> queues;   // those compared by shares, the widest first
  std::optional<MilliGpu> nth_gpu;  // where GPUs are counted by person: the person's, with it
};

}  // namespace yard::sched
