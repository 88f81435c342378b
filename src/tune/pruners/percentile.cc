#include "tune/pruners/percentile.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace yard::tune {
namespace {

// Linear between the two nearest values.
double Percentile(std::vector<double> values, double percentile) {
  std::ranges::sort(values);
  double at = percentile / 100 * static_cast<double>(values.size() - 1);
  auto low = static_cast<std::size_t>(std::floor(at));
  std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - std::floor(at)) * (values[high] - values[low]);
}

}  // namespace

Verdict PercentilePruner::Judge(std::span<const Curve> curves, std::size_t subject) const {
  const Curve& curve = curves[subject];
  if (curve.reports.empty()) return {};
  std::int64_t step = curve.reports.back().step;
  if (step < options_.warmup_steps) return {};
  if ((step - options_.warmup_steps) % options_.interval_steps != 0) return {};
  std::vector<double> values;
  std::size_t complete = 0;
  for (const Curve& other : curves) {
    if (other.state != TrialState::kComplete) continue;
    ++complete;
    std::optional<double> value = ValueAt(other, step);
    if (value && !std::isnan(*value)) values.push_back(*value);
  }
  if (complete < options_.startup_trials) return {};
  std::optional<double> best = BestUpTo(curve, step);
  if (!best) return {Advice::kStop, fmt::format("step {} is not a number", step)};
  if (values.size() < std::max<std::size_t>(options_.min_values, 1)) return {};
  double limit = Percentile(std::move(values), options_.percentile);
  if (*best <= limit) return {};
  return {Advice::kStop, fmt::format("its best {} is worse than {}, percentile {} at step {}",
                                     *best, limit, options_.percentile, step)};
}

}  // namespace yard::tune
