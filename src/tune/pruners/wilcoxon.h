// For steps that are folds, seeds or problem instances, in any order: stops a trial that is worse
// than the best complete one on the steps both have, by the one-sided signed-rank test.
#pragma once

#include "tune/pruners/pruner.h"

namespace yard::tune {

struct WilcoxonOptions {
  double p_threshold = 0.1;
  std::size_t startup_steps = 2;
};

class WilcoxonPruner final : public Pruner {
 public:
  explicit WilcoxonPruner(WilcoxonOptions options = {}) : options_(options) {}
  Verdict Judge(std::span<const Curve> curves, std::size_t subject) const override;

 private:
  WilcoxonOptions options_;
};

// The chance of differences at least so positive if their signs were random: exact up to 25 without
// ties, by the normal approximation above. Zeros count half on either side.
double SignedRankP(std::span<const double> differences);

}  // namespace yard::tune
