// GPUs kept free for advance reservations. Internal to sched.
//
// A workload of somebody else that would still run when a reservation begins must leave enough of
// the pool: what lasts beyond the start, plus the workload, plus the reserved GPUs may not exceed
// the pool. Without a known duration a workload lasts for ever. A reservation that is not used in
// time gives back what it does not use. Counts GPUs of the pool, not places on nodes.
#pragma once

#include <optional>
#include <vector>

#include "sched/core/core.h"
#include "sched/reason.h"

namespace yard::sched {

class Kept {
 public:
  // Looks at running workloads only if there are reservations.
  explicit Kept(const Core& core);

  // The reservation that the workload would cut into, with its numbers.
  std::optional<Reason> Refuses(const Core& core, const Booking& wanted, Micros duration) const;
  // A workload of this plan starts.
  void Started(const Core& core, const Booking& booking, Micros duration);

 private:
  struct Window {
    const Reservation* reservation;
    std::int64_t lasting = 0;  // milli-GPU of others beyond the start
  };
  bool Concerns(const Core& core, const Window& window, const Booking& booking,
                Micros duration) const;

  std::vector<Window> windows_;
};

}  // namespace yard::sched
