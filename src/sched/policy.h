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
  kHeads,         // nor the start of a head: the first of each person's that has to wait
};

// Who comes first inside a queue that shares rule, such as a project.
enum class People : std::uint8_t {
  kInLine,  // the oldest of the highest priority, whoever's it is
  kByUse,   // of equal priority: who holds least, weighed by past use
};

// Whether somebody's first GPU ends work on another's last, where GPUs are counted by person.
enum class FirstGpu : std::uint8_t { kWaits, kPreempts };

// How a running elastic workload comes to more tasks, or to fewer.
enum class Growth : std::uint8_t {
  kInPlace,    // tasks come and go while the others run on
  kByRestart,  // it stops and starts again, so it begins as large as there is room, and grows
               // seldom
};

struct Policy {
  Fairness fairness = Fairness::kFairShare;  // a queue may choose its own for what lies below
  People people = People::kInLine;
  FirstGpu first_gpu = FirstGpu::kWaits;
  Preemption preemption = Preemption::kAllowed;
  Backfill backfill = Backfill::kOff;
  std::int32_t backfill_depth = 100;  // how many waiting workloads may get a planned start
  std::int32_t max_moves = 0;         // consolidation: moved tasks per plan; 0 turns it off
  Growth growth = Growth::kInPlace;
  Micros grow_min_runtime{0};            // kByRestart: so long it runs before it grows
  std::int64_t decay_k_milli = 4000;     // kDecayedShare: how strongly past usage counts
  std::int64_t saturation_milli = 1000;  // reclaim: >= 1000; larger keeps victims safer
  Micros reclaim_min_runtime{0};         // where no queue says otherwise
  Micros preempt_min_runtime{0};
  std::int64_t most_evictions_per_hour = 4;  // of one workload; 0: any number
  Micros stale_gang_after = Seconds(60);     // negative: never
};

// Whether somewhere shares depend on past usage.
inline bool LooksAtPastUsage(const Snapshot& snapshot, const Policy& policy) {
  return policy.people == People::kByUse || policy.fairness == Fairness::kDecayedShare ||
         std::ranges::any_of(snapshot.queues, [](const Queue& queue) {
           return queue.fairness == Fairness::kDecayedShare;
         });
}

}  // namespace yard::sched
