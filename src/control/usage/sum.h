// Sums of what attempts held and used within a period. Pure, in whole numbers.
//
// Exact in both directions: the sums over parts (people, projects) add up to the sum over all, and
// the sums over periods that follow each other add up to the sum over the whole time. What an
// attempt used is spread evenly over its time, and each period gets the difference of what had
// been used at its two ends. Held GPU time is used, idle or not measured, and nothing else. While
// an attempt is away, that time is nobody's: it neither holds nor uses anything.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "model/attempt.h"

namespace yard::control {

struct Period {
  Time from;
  Time to;  // not part of it
};

struct UsageSum {
  std::int64_t attempts = 0;  // that held something within the period
  Micros time;                // from their placing to their end, less what they were away
  Micros cpu;
  GpuTime held;
  GpuTime used;
  GpuTime idle;

  GpuTime not_measured() const { return held - used - idle; }
  UsageSum& operator+=(const UsageSum& more);
  bool operator==(const UsageSum&) const = default;
};

// What one attempt adds to a period. `use` is what it used until its end, or, if it has none,
// until `now`.
UsageSum UsageWithin(const Attempt& attempt, const AttemptUse& use, const Period& period, Time now);

// All that it held until its end or `now`; from its placing on, since nobody else can have it.
GpuTime HeldUntil(const Attempt& attempt, Time now);

}  // namespace yard::control
