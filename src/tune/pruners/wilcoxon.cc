#include "tune/pruners/wilcoxon.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "tune/numerics/normal.h"

namespace yard::tune {
namespace {

constexpr std::size_t kExact = 25;

double Mean(const Curve& curve) {
  double sum = 0;
  for (const Report& report : curve.reports) sum += report.value;
  return sum / static_cast<double>(std::max<std::size_t>(curve.reports.size(), 1));
}

bool AllFinite(const Curve& curve) {
  return std::ranges::all_of(curve.reports, [](const Report& r) { return std::isfinite(r.value); });
}

// Ranks of the absolute differences; ties share their mean.
std::vector<double> Ranks(std::span<const double> differences) {
  std::vector<std::size_t> order(differences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::abs(differences[i]); });
  std::vector<double> ranks(differences.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from + 1;
    while (to < order.size() &&
           std::abs(differences[order[to]]) == std::abs(differences[order[from]])) {
      ++to;
    }
    double rank = (static_cast<double>(from + to) + 1) / 2;
    for (std::size_t k = from; k < to; ++k) ranks[order[k]] = rank;
    from = to;
  }
  return ranks;
}

// Number of sign patterns by the sum of positive ranks, doubled because ties have halves.
double ExactTail(std::span<const double> ranks, double statistic) {
  double total = std::accumulate(ranks.begin(), ranks.end(), 0.0);
  std::vector<double> patterns(static_cast<std::size_t>(std::lround(2 * total)) + 1, 0.0);
  patterns[0] = 1;
  for (double rank : ranks) {
    auto shift = static_cast<std::size_t>(std::lround(2 * rank));
    for (std::size_t i = patterns.size(); i-- > shift;) patterns[i] += patterns[i - shift];
  }
  double tail = 0;
  for (auto i = static_cast<std::size_t>(std::ceil(2 * statistic - 1e-9)); i < patterns.size();
       ++i) {
    tail += patterns[i];
  }
  return tail / std::pow(2.0, static_cast<double>(ranks.size()));
}

}  // namespace

double SignedRankP(std::span<const double> differences) {
  if (differences.empty()) return 1;
  std::vector<double> ranks = Ranks(differences);
  double statistic = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (differences[i] > 0) statistic += ranks[i];
    if (differences[i] == 0) statistic += ranks[i] / 2;
  }
  if (ranks.size() <= kExact) return ExactTail(ranks, statistic);
  auto n = static_cast<double>(ranks.size());
  double squares = 0;
  for (double rank : ranks) squares += rank * rank;
  double z = (statistic - n * (n + 1) / 4) / std::sqrt(squares / 4);
  return NormalCdf(-z);
}

Verdict WilcoxonPruner::Judge(std::span<const Curve> curves, std::size_t subject) const {
  const Curve& curve = curves[subject];
  if (curve.reports.size() < std::max<std::size_t>(options_.startup_steps, 2)) return {};
  const Curve* best = nullptr;
  for (const Curve& other : curves) {
    if (other.state != TrialState::kComplete || other.reports.empty()) continue;
    if (best == nullptr || Mean(other) < Mean(*best)) best = &other;
  }
  if (best == nullptr || !AllFinite(curve) || !AllFinite(*best)) return {};
  std::vector<double> differences;
  for (const Report& report : curve.reports) {
    std::optional<double> theirs = ValueAt(*best, report.step);
    if (theirs) differences.push_back(report.value - *theirs);
  }
  if (differences.size() < 2) return {};
  double p = SignedRankP(differences);
  if (p >= options_.p_threshold || Mean(curve) <= Mean(*best)) return {};
  return {Advice::kStop, fmt::format("worse than trial {} on {} common steps (p = {:.3f})",
                                     best->trial.value, differences.size(), p)};
}

}  // namespace yard::tune
