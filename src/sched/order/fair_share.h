// Fair-share rounds: how much of a pool each queue may expect.
//
// At each level of the tree, per resource: (1) every queue gets min(quota, requestable); (2) what
// remains is split by over-quota priority, high first, and inside one priority in rounds by
// weight: a queue that wants less takes what it wants and another round runs, otherwise its part
// is rounded down to a whole unit; (3) what the rounding left over goes out one unit at a time,
// by largest cut-off remainder, then older queue, then id. A queue's share is the total of its
// children. A weight of 0 receives only what no queue with weight wants.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"
#include "sched/core/ledger.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sched {

struct Claim {
  std::int64_t quota = 0;        // kUnlimited: the whole total
  std::int64_t requestable = 0;  // allocated + waiting, at most the limit
  std::int64_t weight = 0;
  std::int32_t priority = 0;
  Time created{};
};

// One level, one resource. `unit` is 1000 for milli-GPU, 1 for CPU and memory. Ties by position.
std::vector<std::int64_t> Divide(std::int64_t total, std::int64_t unit,
                                 std::span<const Claim> claims);

// Over-quota weights lowered by past usage: max(0, wn + k (wn - u)) with wn = weight / sum and
// u = usage / capacity, in millionths. k is in thousandths.
std::vector<std::int64_t> DecayedWeights(std::span<const std::int64_t> weights,
                                         std::span<const std::int64_t> usage_millionths,
                                         std::int64_t k_milli);

// What the queues of one pool have a right to, by queue index.
struct PoolShares {
  std::vector<Resources> fair;
  // The quota, which nobody who borrows may keep from them. Of GPUs an unlimited quota guarantees
  // what the quotas below it do and no more: beyond that such a queue borrows like all others.
  std::vector<Resources> guaranteed;
};
PoolShares FairShares(const Snapshot& snapshot, const Policy& policy, const Ledger& ledger,
                      PoolIndex pool, const Resources& total);

}  // namespace yard::sched
