// A mixture of product kernels over some axes: the density of a set of trials.
//
// One kernel per trial and one for the prior. Continuous axes: truncated normals, as wide as the
// gap to the neighbours. Discrete axes: the mass of a truncated normal in the cell, one width for
// all. Categories: mostly the trial's own. Later trials weigh more.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tune/rng.h"
#include "tune/space.h"

namespace yard::tune {

// The kernels of one axis.
struct AxisKernels {
  AxisKind kind = AxisKind::kContinuous;
  std::size_t axis = 0;          // of the space
  std::vector<double> centre;    // one for each kernel, the prior last; a level for discrete axes
  std::vector<double> inverse;   // 1 / width; continuous axes
  std::vector<double> log_norm;  // -log(width · mass inside [0, 1]); continuous axes
  double width = 1;              // discrete axes
};

class ParzenMixture {
 public:
  // log_weights: one for each kernel, summing to 1 as weights; every axis has as many kernels.
  ParzenMixture(const Space& space, std::vector<AxisKernels> axes, std::vector<double> weights);

  // Coordinates on the mixture's axes; the others are left as they are.
  void Draw(Rng& rng, Point& point) const;
  // log of the density (of the mass for discrete axes) at each point.
  std::vector<double> LogDensity(std::span<const Point> points) const;

 private:
  double DrawAxis(const AxisKernels& axis, std::size_t kernel, Rng& rng) const;
  std::vector<double> LevelTable(const AxisKernels& axis, std::size_t level) const;
  // Some kernels at a time, so that their sums stay in the cache.
  struct Block {
    std::vector<double> sums;  // by point
    std::size_t from = 0;
    std::size_t to = 0;
  };
  using Tables = std::vector<std::vector<double>>;  // by level, once needed
  void AddLevels(const AxisKernels& axis, std::span<const Point> points, Tables& tables,
                 Block& block) const;
  void AddContinuous(const AxisKernels& axis, std::span<const Point> points, Block& block) const;

  const Space& space_;
  std::vector<AxisKernels> axes_;
  std::vector<double> weights_;
  std::vector<double> base_;  // log weight and norms of continuous axes, by kernel
};

// oldest first: equal up to 25 trials, then a ramp that ends in 25 full weights; the prior last.
std::vector<double> AgeWeights(std::size_t trials);
// Widths by the gaps to both neighbours for sorted centres in [0, 1].
std::vector<double> GapWidths(std::span<const double> sorted);
// One width for all kernels of a discrete axis.
double CommonWidth(std::size_t trials, std::size_t axes);
// -log(width · mass) of a normal truncated to [0, 1].
double LogNormOf(double centre, double width);

}  // namespace yard::tune
