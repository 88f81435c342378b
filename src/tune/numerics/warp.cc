#include "tune/numerics/warp.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace yard::tune {
namespace {

constexpr std::array kFractions = {1.0, 0.1, 0.01};
constexpr double kHuge = 1e100;  // squares must not overflow

}  // namespace

std::vector<Warp> WarpsFor(std::span<const double> losses) {
  std::vector<Warp> warps = {Warp{}};
  std::vector<double> sorted(losses.begin(), losses.end());
  for (double& loss : sorted) loss = std::clamp(loss, -kHuge, kHuge);
  std::ranges::sort(sorted);
  double distance = sorted.empty() ? 0 : sorted[sorted.size() / 2] - sorted.front();
  if (!(distance > 0)) return warps;
  for (double fraction : kFractions) warps.push_back({distance * fraction});
  return warps;
}

Warped Apply(const Warp& warp, std::span<const double> losses) {
  Warped warped;
  double least = losses.empty() ? 0 : std::max(*std::ranges::min_element(losses), -kHuge);
  for (double given : losses) {
    double loss = std::clamp(given, -kHuge, kHuge);
    if (warp.offset == 0) {
      warped.y.push_back(loss);
      continue;
    }
    double log = std::log(loss - least + warp.offset);
    warped.y.push_back(log);
    warped.log_density -= log;
  }
  auto n = static_cast<double>(losses.size());
  double mean = 0;
  for (double y : warped.y) mean += y / n;
  double variance = 0;
  for (double y : warped.y) variance += (y - mean) * (y - mean) / n;
  double deviation = variance > 0 ? std::sqrt(variance) : 1;
  for (double& y : warped.y) y = (y - mean) / deviation;
  warped.log_density -= n * std::log(deviation);
  return warped;
}

}  // namespace yard::tune
