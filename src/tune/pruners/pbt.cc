#include "tune/pruners/pbt.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tune/domain.h"

namespace yard::tune {
namespace {

constexpr int kTries = 20;
// Keeps the draws apart from those of suggestions.
constexpr std::uint64_t kStream = 0x9B7D1F5C3E2A4861ULL;
constexpr std::uint64_t kStepStride = 1'000'003;

struct Member {
  std::size_t index = 0;  // of the curve
  double loss = 0;
};

bool IsMutable(const PbtOptions& options, std::size_t parameter) {
  const std::vector<std::size_t>& listed = options.mutable_parameters;
  return listed.empty() || std::ranges::find(listed, parameter) != listed.end();
}

// The nearest value of the domain.
double Nearest(const Domain& domain, double value) {
  if (const auto* number = std::get_if<FloatDomain>(&domain)) {
    double inside = std::clamp(value, number->low, number->high);
    return UnitToValue(domain, ValueToUnit(domain, inside));
  }
  const auto& integer = std::get<IntDomain>(domain);
  auto steps = static_cast<std::int64_t>(
      std::llround((value - static_cast<double>(integer.low)) / static_cast<double>(integer.step)));
  std::int64_t most = (integer.high - integer.low) / integer.step;
  return static_cast<double>(integer.low + std::clamp<std::int64_t>(steps, 0, most) * integer.step);
}

double Perturbed(const Domain& domain, double value, double factor, Rng& rng) {
  bool up = rng.Uniform() < 0.5;
  bool number =
      std::holds_alternative<FloatDomain>(domain) || std::holds_alternative<IntDomain>(domain);
  if (number) return Nearest(domain, up ? value * factor : value / factor);
  double last = static_cast<double>(LevelsOf(domain)) - 1;
  return std::clamp(value + (up ? 1 : -1), 0.0, last);
}

// All that were there at this step and reported before the next one, the best first. A successor
// was not there: it may have begun a little further on.
std::vector<Member> RankAt(std::span<const Curve> curves, std::int64_t step,
                           std::int64_t interval) {
  std::vector<Member> order;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::vector<Report>& reports = curves[i].reports;
    auto at = std::ranges::lower_bound(reports, step, {}, &Report::step);
    if (at == reports.end() || at->step - step >= interval) continue;
    if (reports.front().step <= step) order.push_back({i, at->value});
  }
  std::ranges::stable_sort(order, [](const Member& a, const Member& b) {
    // What is not a number is worst.
    if (std::isnan(a.loss) != std::isnan(b.loss)) return std::isnan(b.loss);
    return a.loss < b.loss;
  });
  return order;
}

}  // namespace

Configuration ExplorePbt(const Space& space, const PbtOptions& options, const Configuration& from,
                         Rng& rng) {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Configuration fresh = space.Decode(space.RandomPoint(rng));
    Configuration changed = from;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!from.At(i) || !IsMutable(options, i)) continue;
      bool anew = rng.Uniform() < options.resample && fresh.At(i).has_value();
      double factor = options.factor;
      const Domain& domain = space.parameters()[i].domain;
      changed.Set(i, anew ? *fresh.At(i) : Perturbed(domain, *from.At(i), factor, rng));
    }
    // A changed parent may add or drop parameters.
    changed = space.Decode(space.Encode(changed));
    if (space.Satisfies(changed)) return changed;
  }
  return from;
}

Verdict PbtPruner::Judge(std::span<const Curve> curves, std::size_t subject) const {
  const std::int64_t last = curves[subject].reports.back().step;
  if (last >= options_.max_steps) return {};
  const std::int64_t interval = options_.interval_steps;
  std::int64_t step = last - last % interval;
  if (step <= 0) return {};
  auto running = std::ranges::count(curves, TrialState::kRunning, &Curve::state);
  std::vector<Member> order = RankAt(curves, step, interval);
  // Who comes early is compared at the step before, where the others are by now.
  if (2 * static_cast<std::int64_t>(order.size()) < running) {
    step -= interval;
    if (step <= 0) return {};
    order = RankAt(curves, step, interval);
  }
  if (order.size() < options_.least) return {};
  const auto reached = static_cast<double>(order.size());
  auto count = static_cast<std::size_t>(std::ceil(options_.quantile * reached));
  count = std::min(count, order.size() / 2);
  std::span<const Member> best(order.data(), count);
  std::span<const Member> worst(order.data() + order.size() - count, count);
  if (std::ranges::find(worst, subject, &Member::index) == worst.end()) return {};
  std::vector<TrialNumber> sources;
  for (const Member& member : best) {
    const Curve& curve = curves[member.index];
    // One that has ended is no example: nothing goes on from there.
    if (curve.state == TrialState::kRunning) sources.push_back(curve.trial);
  }
  if (sources.empty()) return {};
  Rng rng(seed_ ^ kStream, static_cast<std::uint64_t>(curves[subject].trial.value) +
                               static_cast<std::uint64_t>(step) * kStepStride);
  const TrialNumber source = sources[rng.Below(sources.size())];
  return {Advice::kStop,
          fmt::format("among the worst {} of {} at step {}; a successor goes on from trial {}",
                      count, order.size(), step, source.value),
          source};
}

}  // namespace yard::tune
