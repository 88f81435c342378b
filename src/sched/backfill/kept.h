// GPUs kept free for advance reservations. Internal to sched.
//
// A reservation keeps GPUs of a pool for its owner, a queue and all below it. From its start on
// nobody else may start on them. Before that, work of others may if it is over by then, or if it
// may be preempted: the owner takes back what it needs (reclaim/reserved.h). Without a known
// duration work lasts for ever. What the owner has not taken so long after the start, or after its
// last work there ended, is given back; what it uses stays its own until the end.
//
// Windows that overlap add up: at each start the GPUs kept for all owners, or what they hold if
// that is more, and what lasts of everybody else must fit the pool. Counts GPUs of the pool, not
// places on nodes.
#pragma once

#include <optional>
#include <vector>

#include "sched/core/core.h"
#include "sched/reason.h"

namespace yard::sched {

class Kept {
 public:
  // Looks at running workloads only if a reservation is still to begin.
  explicit Kept(const Core& core);

  // The reservation that the workload would cut into, with its numbers.
  std::optional<Reason> Refuses(const Core& core, const Booking& wanted, Micros duration) const;
  // The same for those that are still to begin: room that others give up counts in the open ones.
  std::optional<Reason> RefusesLater(const Core& core, const Booking& wanted,
                                     Micros duration) const;
  // By how much the open windows of a pool are cut into. What makes room must not raise it.
  std::int64_t Excess(const Core& core, PoolIndex pool) const;

  // Whether an open window keeps GPUs for this one, and enough of them.
  bool Grants(const Core& core, const Booking& wanted) const;
  // Whether the queue keeps what its own windows keep for it if it gives up so much.
  bool Spares(const Core& core, QueueIndex queue, PoolIndex pool, MilliGpu given) const;
  bool empty() const { return moments_.empty(); }

  // A workload of this plan starts.
  void Started(const Core& core, const Booking& booking, Micros duration);

 private:
  struct Claim {
    const Reservation* reservation;
    std::int64_t kept = 0;     // milli-GPU
    std::int64_t lasting = 0;  // of the owner, beyond a start to come
  };
  // The windows of a pool that are open at one time.
  struct Moment {
    PoolIndex pool;
    Time at;  // a start to come, or now
    std::vector<Claim> claims;
    std::int64_t others = 0;  // lasting, of everybody else
  };
  bool IsNow(const Core& core, const Moment& moment) const {
    return moment.at == core.snapshot().now;
  }
  // The windows open at a time; each only once.
  void AddMoment(const Core& core, PoolIndex pool, Time at);
  std::int64_t SumOf(const Core& core, const Moment& moment, const Booking* more) const;
  std::optional<Reason> RefusesAt(const Core& core, const Moment& moment,
                                  const Booking& wanted) const;

  std::vector<Moment> moments_;
};

// The first time after `after` when a reservation begins, ends or is given back.
std::optional<Time> NextTurn(const std::vector<Reservation>& reservations, Time after);

}  // namespace yard::sched
