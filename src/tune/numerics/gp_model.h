// A Gaussian process over mixed inputs, to be minimised.
//
// Covariance: s·Matern52(r) + q·(1 + z·z')², r² = Σ w_i Δ_i², where Δ is the difference of
// coordinates (1 for different categories) and z the numeric coordinates around a centre: a smooth
// surface on top of a bowl. Weights, s, q and the noise are those most probable given the data and
// weak priors. Outputs are given standardised. Inputs have no absent coordinate.
//
// Thread rule: const functions may run side by side.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace yard::tune {

struct GpInputs {
  std::size_t dimensions = 0;
  std::vector<bool> categorical;    // by dimension
  std::vector<double> x;            // row by row
  std::vector<double> y;            // standardised
  std::vector<double> noise_scale;  // of each row: 1, or less for a mean of repeats
  std::vector<double> centre;       // of the bowl
  std::vector<double> unit;         // of length by dimension; the priors are about lengths near 1
};

struct GpHyper {
  std::vector<double> log_weights;
  double log_signal = 0;
  double log_bowl = -2;
  double log_noise = -9;
};

struct GpFit {
  GpHyper hyper;
  double log_likelihood = 0;  // without the priors
};

// The most probable hyperparameters, from `start`.
GpFit FitGp(const GpInputs& inputs, const GpHyper& start, int iterations);
// Starts: a smooth surface with a slight bowl, and a bowl with a slight surface.
GpHyper DefaultHyper(std::size_t dimensions);
GpHyper BowlHyper(std::size_t dimensions);

class GpModel {
 public:
  GpModel(GpInputs inputs, GpHyper hyper);
  GpModel(const GpModel& other);
  GpModel(GpModel&&) noexcept;
  GpModel& operator=(GpModel&&) noexcept;
  ~GpModel();

  struct Prediction {
    double mean = 0;
    double variance = 0;  // of the surface, without the noise of a measurement
  };
  Prediction Predict(std::span<const double> x) const;
  // Also the gradient of mean and variance by every coordinate; 0 for categorical ones.
  Prediction PredictSlope(std::span<const double> x, std::span<double> mean_slope,
                          std::span<double> variance_slope) const;
  // Many rows at once.
  std::vector<Prediction> PredictAll(std::span<const double> rows) const;

  // Smallest posterior mean at the given rows.
  double BestMean() const;
  // One more row, O(n²): the factor grows, nothing is factored again.
  void Append(std::span<const double> x, double y, double noise_scale);
  // Other outputs for the same rows, O(n²).
  void SetOutputs(std::vector<double> y);
  std::size_t size() const;
  const GpHyper& hyper() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yard::tune
