// Which of two sibling queues is served first, given the workload each would start next.
#pragma once

#include "base/time.h"
#include "sched/resources.h"
#include "sched/snapshot.h"

namespace yard::sched {

struct QueueClaim {
  Resources allocated;
  Resources share;  // fair share
  Resources quota;  // guaranteed
  Resources next;   // cost of the workload that would start
  std::int32_t priority = 0;
  Time created;
  QueueIndex queue;
};

// In this order: not over fair share; within quota even with the next workload; higher priority;
// a share at all; smaller dominant share with the next workload; without it; smaller share;
// older; index.
bool ServedBefore(const QueueClaim& a, const QueueClaim& b);

// allocated / share, the largest over all resources, as a fraction. A holder without any share
// counts above every holder with one.
struct Saturation {
  std::int64_t part = 0;
  std::int64_t whole = 1;
  std::strong_ordering operator<=>(const Saturation& o) const {
    return static_cast<Wide>(part) * o.whole <=> static_cast<Wide>(o.part) * whole;
  }
  bool operator==(const Saturation& o) const { return (*this <=> o) == 0; }
};
Saturation SaturationOf(const Resources& allocated, const Resources& share);

}  // namespace yard::sched
