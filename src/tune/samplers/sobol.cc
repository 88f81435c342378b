#include "tune/samplers/sobol.h"

#include <cmath>
#include <vector>

#include "tune/numerics/sobol.h"

namespace yard::tune {

Point FromCube(const Space& space, std::span<const double> cube) {
  Point point(cube.begin(), cube.end());
  std::span<const Axis> axes = space.axes();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].kind != AxisKind::kCategorical) continue;
    point[i] = std::floor(point[i] * static_cast<double>(axes[i].levels));
  }
  return point;
}

Proposal SobolSampler::Suggest(const History& history, Rng& rng) {
  if (space_.axes().empty()) return {{}, Origin::kSobol};
  std::vector<double> cube = SobolPoints(space_.axes().size(), history.asked, 1, history.seed);
  Point point = FromCube(space_, cube);
  if (!space_.Satisfies(space_.Decode(point))) return {space_.RandomPoint(rng), Origin::kRandom};
  return {std::move(point), Origin::kSobol};
}

}  // namespace yard::tune
