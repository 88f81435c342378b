#include "tune/numerics/gp_kernel.h"

namespace yard::tune {

GpKernel::GpKernel(const GpInputs& inputs, const GpHyper& hyper)
    : dimensions(inputs.dimensions),
      weights(inputs.dimensions),
      bowl_scale(inputs.dimensions),
      centre(inputs.centre),
      categorical(inputs.categorical),
      signal(std::exp(hyper.log_signal)),
      bowl(std::exp(hyper.log_bowl)),
      noise(std::exp(hyper.log_noise)) {
  for (std::size_t i = 0; i < dimensions; ++i) {
    double scale = 1 / (inputs.unit[i] * inputs.unit[i]);
    weights[i] = std::exp(hyper.log_weights[i]) * scale;
    bowl_scale[i] = categorical[i] ? 0 : 4 * scale;
  }
}

double GpKernel::SquaredDistance(const double* a, const double* b) const {
  double sum = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    double delta = a[i] - b[i];
    sum += weights[i] * (categorical[i] ? (delta != 0 ? 1.0 : 0.0) : delta * delta);
  }
  return sum;
}

double GpKernel::Bowl(const double* a, const double* b) const {
  double dot = 1;
  for (std::size_t i = 0; i < dimensions; ++i) {
    dot += bowl_scale[i] * (a[i] - centre[i]) * (b[i] - centre[i]);
  }
  return dot * dot;
}

double GpKernel::Between(const double* a, const double* b) const {
  return signal * Matern52(SquaredDistance(a, b)) + bowl * Bowl(a, b);
}

}  // namespace yard::tune
