// Stops a trial whose best value so far is worse than a percentile of what complete trials had at
// the same step. 50 is the median rule.
#pragma once

#include "tune/pruners/pruner.h"

namespace yard::tune {

struct PercentileOptions {
  double percentile = 50;          // of complete trials that may be as good or better
  std::size_t startup_trials = 5;  // complete trials before anything is stopped
  std::int64_t warmup_steps = 0;
  std::int64_t interval_steps = 1;
  std::size_t min_values = 1;  // values at the step that a comparison needs
};

class PercentilePruner final : public Pruner {
 public:
  explicit PercentilePruner(PercentileOptions options = {}) : options_(options) {}
  Verdict Judge(std::span<const Curve> curves, std::size_t subject) const override;

 private:
  PercentileOptions options_;
};

}  // namespace yard::tune
