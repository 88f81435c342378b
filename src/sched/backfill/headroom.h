// What the bounds of queues and of a person leave besides a workload that is planned to start: the
// room in the books that nobody may take from it until then. Internal to sched.
#pragma once

#include <array>
#include <vector>

#include "sched/core/core.h"

namespace yard::sched {

class Headroom {
 public:
  Headroom() = default;
  // The ledger must stand as it will when the workload starts, without the workload itself.
  Headroom(const Core& core, const Booking& planned);

  // Whether the bounds let the workload start then.
  bool Suffices() const;
  // Whether they still do if another one holds its amounts at that time.
  bool Allows(const Core& core, const Booking& other) const;
  void Use(const Core& core, const Booking& other);

 private:
  using Amounts = std::array<std::int64_t, kResourceCount>;
  struct Bound {
    QueueIndex queue;
    Preemptibility counts;  // kNonPreemptible: a quota, which only such work uses up
    Amounts left;
  };
  static bool Concerns(const Core& core, const Bound& bound, const Booking& other);

  Booking planned_;
  std::vector<Bound> bounds_;
  std::int64_t user_left_ = 0;
};

}  // namespace yard::sched
