// What was held, used and waited for, in equal steps of a period. Pure, in whole numbers.
//
// The steps follow each other without gaps, so their sums add up to the sum over the period
// (usage_sum.h). What lies after `now` is not part of any step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "control/usage/sum.h"

namespace yard::control {

struct UsageStep {
  Period period;
  UsageSum sum;
  std::int64_t started = 0;  // workloads that were placed for the first time
  Micros waited;             // of these, from submission to that, all together
  Micros longest_wait;

  // GPUs held on average, in thousandths.
  double held_milli() const;
  // Of the measured part of what was held, how much was busy; nothing: none was measured.
  std::optional<double> busy_percent() const;
  std::optional<double> wait_seconds() const;
};

class UsageHistory {
 public:
  // At least one step; fewer than asked for if they would be shorter than a second.
  UsageHistory(const Period& period, std::size_t steps, Time now);

  // `use` is what it used until its end, or until now.
  void Add(const Attempt& attempt, const AttemptUse& use, Time submitted);

  const std::vector<UsageStep>& steps() const { return steps_; }

 private:
  std::size_t StepAt(Time at) const;

  Period period_;
  Time now_;
  Micros length_{1};  // of a step
  std::vector<UsageStep> steps_;
};

}  // namespace yard::control
