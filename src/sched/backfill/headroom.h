// What the bounds of queues and of a person leave besides a workload that is planned to start: the
// room in the books that nobody may take from it until then. Internal to sched.
#pragma once

#include <array>
#include <vector>

#include "sched/core/core.h"

namespace yard::sched {

// Which bounds must hold: all, or those that nobody may ever pass.
enum class Bounds : std::uint8_t { kAll, kHard };

class Headroom {
 public:
  Headroom() = default;
  // The ledger must stand as it will when the workload starts, without the workload itself.
  Headroom(Core& core, const Booking& planned);

  // Whether it will hold more than its queues are guaranteed. If not, that stays so.
  bool Borrows() const { return borrows_; }

  // Whether the bounds let the workload start then.
  bool Suffices() const;
  // Whether they still do if another one holds its amounts at that time.
  bool Allows(const Core& core, const Booking& other, Bounds bounds = Bounds::kAll) const;
  void Use(const Core& core, const Booking& other);

 private:
  using Amounts = std::array<std::int64_t, kResourceCount>;
  struct Bound {
    QueueIndex queue;
    Preemptibility counts;  // kNonPreemptible: a quota, which only such work uses up
    Amounts left;
    Bounds kind = Bounds::kHard;
  };
  void KeepGuarantee(Core& core);
  static bool Concerns(const Core& core, const Bound& bound, const Booking& other);

  Booking planned_;
  std::vector<Bound> bounds_;
  std::int64_t user_left_ = 0;
  bool borrows_ = false;
};

}  // namespace yard::sched
