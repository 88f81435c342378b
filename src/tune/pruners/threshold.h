// Stops a trial whose last value is outside the given bounds or not a number.
#pragma once

#include "tune/pruners/pruner.h"

namespace yard::tune {

class ThresholdPruner final : public Pruner {
 public:
  ThresholdPruner(std::optional<double> low, std::optional<double> high) : low_(low), high_(high) {}
  Verdict Judge(std::span<const Curve> curves, std::size_t subject) const override;

 private:
  std::optional<double> low_;
  std::optional<double> high_;
};

}  // namespace yard::tune
