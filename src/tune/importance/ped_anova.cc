#include "tune/importance/ped_anova.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tune/numerics/normal.h"
#include "tune/samplers/gp_surrogate.h"

namespace yard::tune {
namespace {

constexpr std::size_t kCells = 50;
constexpr double kBest = 0.1;

double Quantile(const std::vector<double>& sorted, double q) {
  return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
}

// Scott's rule in units of cells.
double Bandwidth(std::vector<double> cells) {
  std::ranges::sort(cells);
  auto n = static_cast<double>(cells.size());
  double mean = std::accumulate(cells.begin(), cells.end(), 0.0) / n;
  double variance = 0;
  for (double c : cells) variance += (c - mean) * (c - mean) / std::max(n - 1, 1.0);
  double spread = (Quantile(cells, 0.75) - Quantile(cells, 0.25)) / 1.34;
  double deviation = std::sqrt(variance);
  if (spread > 0) deviation = std::min(deviation, spread);
  return std::max(1.059 * deviation * std::pow(n, -0.2), 0.5 / 1.64);
}

// The density over cells, a little of it everywhere.
std::vector<double> Density(const std::vector<double>& cells, std::size_t count, bool ordered) {
  std::vector<double> density(count, 1.0 / static_cast<double>(count));
  double width = ordered ? Bandwidth(cells) : 0;
  for (double cell : cells) {
    if (!ordered) {
      density[static_cast<std::size_t>(cell)] += 1;
      continue;
    }
    auto edge = [&](double at) { return NormalCdf((at - cell) / width); };
    double inside = edge(static_cast<double>(count) - 0.5) - edge(-0.5);
    for (std::size_t k = 0; k < count; ++k) {
      auto at = static_cast<double>(k);
      density[k] += (edge(at + 0.5) - edge(at - 0.5)) / inside;
    }
  }
  double total = std::accumulate(density.begin(), density.end(), 0.0);
  for (double& d : density) d /= total;
  return density;
}

}  // namespace

std::vector<double> PedAnova(const Space& space, std::span<const Observation> observations) {
  std::vector<double> importance(space.axes().size(), 0.0);
  std::vector<double> losses = PenalisedLosses(observations);
  std::vector<std::size_t> order(observations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return losses[i]; });
  auto best = static_cast<std::size_t>(std::ceil(kBest * static_cast<double>(order.size())));
  for (std::size_t a = 0; a < importance.size(); ++a) {
    const Axis& axis = space.axes()[a];
    bool ordered = axis.kind != AxisKind::kCategorical;
    std::size_t count = axis.levels == 0 ? kCells : axis.levels;
    if (ordered) count = std::min(count, kCells);
    std::vector<double> all;
    std::vector<double> top;
    for (std::size_t k = 0; k < order.size(); ++k) {
      double u = observations[order[k]].x[a];
      if (std::isnan(u)) continue;
      double most = static_cast<double>(count) - 1;
      double cell = ordered ? std::min(std::floor(u * static_cast<double>(count)), most) : u;
      all.push_back(cell);
      if (k < best) top.push_back(cell);
    }
    if (top.size() < 2) continue;
    std::vector<double> p_all = Density(all, count, ordered);
    std::vector<double> p_top = Density(top, count, ordered);
    for (std::size_t c = 0; c < count; ++c) {
      double ratio = p_top[c] / p_all[c] - 1;
      importance[a] += p_all[c] * ratio * ratio;
    }
  }
  double total = std::accumulate(importance.begin(), importance.end(), 0.0);
  for (double& i : importance) i = total > 0 ? i / total : 0;
  return importance;
}

}  // namespace yard::tune
