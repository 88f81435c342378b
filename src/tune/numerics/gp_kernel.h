// The covariance of gp_model.h as loops over plain arrays.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "tune/numerics/gp_model.h"

namespace yard::tune {

struct GpKernel {
  GpKernel(const GpInputs& inputs, const GpHyper& hyper);

  double SquaredDistance(const double* a, const double* b) const;
  double Bowl(const double* a, const double* b) const;  // (1 + z·z')²
  double Between(const double* a, const double* b) const;

  std::size_t dimensions;
  std::vector<double> weights;
  std::vector<double> bowl_scale;  // of half a unit; 0 for categorical
  std::vector<double> centre;
  std::vector<bool> categorical;
  double signal;
  double bowl;
  double noise;
};

// Of r², and its derivative by r², divided by the signal.
inline double Matern52(double r2) {
  double t = std::sqrt(5 * r2);
  return std::exp(-t) * (1 + t + t * t / 3);
}
inline double Matern52Slope(double r2) {
  double t = std::sqrt(5 * r2);
  return -5.0 / 6 * (1 + t) * std::exp(-t);
}

}  // namespace yard::tune
