// The rules of a cluster that are not tied to one queue or pool. A value.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time.h"
#include "sched/snapshot.h"

namespace yard::sched {

enum class Preemption : std::uint8_t {
  kAllowed,
  kNever,  // absolute: no reclaim, no preemption, no move, no shrinking of elastic workloads
};

enum class Backfill : std::uint8_t {
  kOff,           // a workload that fits starts, whoever waits
  kConservative,  // nobody starts who would delay the planned start of one ahead
};

struct Policy {
  Fairness fairness = Fairness::kFairShare;  // a queue may choose its own for what lies below
  Preemption preemption = Preemption::kAllowed;
  Backfill backfill = Backfill::kOff;
  std::int32_t backfill_depth = 100;     // how many waiting workloads get a planned start
  std::int32_t max_moves = 0;            // consolidation: moved tasks per plan; 0 turns it off
  std::int64_t decay_k_milli = 1000;     // kDecayedShare: how strongly past usage counts
  std::int64_t saturation_milli = 1000;  // reclaim: >= 1000; larger keeps victims safer
  Micros reclaim_min_runtime{0};         // where no queue says otherwise
  Micros preempt_min_runtime{0};
  std::int64_t most_evictions_per_hour = 4;  // of one workload; 0: any number
  Micros stale_gang_after = Seconds(60);     // negative: never
};

// Whether somewhere shares depend on past usage.
inline bool LooksAtPastUsage(const Snapshot& snapshot, const Policy& policy) {
  return policy.fairness == Fairness::kDecayedShare ||
         std::ranges::any_of(snapshot.queues, [](const Queue& queue) {
           return queue.fairness == Fairness::kDecayedShare;
         });
}

}  // namespace yard::sched
