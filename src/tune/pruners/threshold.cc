#include "tune/pruners/threshold.h"

#include <cmath>

#include <fmt/format.h>

namespace yard::tune {

Verdict ThresholdPruner::Judge(std::span<const Curve> curves, std::size_t subject) const {
  const Curve& curve = curves[subject];
  if (curve.reports.empty()) return {};
  double last = curve.reports.back().value;
  bool outside = std::isnan(last) || (low_ && last < *low_) || (high_ && last > *high_);
  if (!outside) return {};
  return {Advice::kStop, fmt::format("the value {} is outside its bounds", last)};
}

}  // namespace yard::tune
