// Output warping: losses on a scale on which a Gaussian process fits them.
//
// The plain scale, or log(loss - least + δ) with δ a fraction of the distance from the least to the
// median: the better the loss, the finer the scale. The data choose: see LogDensity.
#pragma once

#include <span>
#include <vector>

namespace yard::tune {

struct Warp {
  double offset = 0;  // δ; 0 is the plain scale
};

// The scales to choose from for these losses, the plain one first.
std::vector<Warp> WarpsFor(std::span<const double> losses);

struct Warped {
  std::vector<double> y;   // mean 0, deviation 1
  double log_density = 0;  // log of the derivative of y by the losses, summed
};
Warped Apply(const Warp& warp, std::span<const double> losses);

}  // namespace yard::tune
