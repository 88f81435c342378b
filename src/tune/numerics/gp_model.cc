#include "tune/numerics/gp_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Dense>

#include "base/check.h"
#include "tune/numerics/gp_kernel.h"

namespace yard::tune {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kMinVariance = 1e-12;

}  // namespace

struct GpModel::State {
  State(GpInputs given, GpHyper fitted)
      : inputs(std::move(given)), hyper(std::move(fitted)), kernel(inputs, hyper) {
    Factor();
  }

  void Factor() {
    auto n = static_cast<Eigen::Index>(inputs.y.size());
    Matrix covariance(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j <= i; ++j) covariance(i, j) = kernel.Between(Row(i), Row(j));
    }
    for (Eigen::Index i = 0; i < n; ++i) covariance(i, i) += NoiseAt(static_cast<std::size_t>(i));
    // Ends in any case: a diagonal that outweighs its rows can be factored. Rows that lie a million
    // boxes apart make entries whose rounding alone is beyond any fixed jitter.
    for (double jitter = 0;; jitter = jitter == 0 ? 1e-9 : jitter * 10) {
      Matrix regular = covariance;
      regular.diagonal().array() += jitter;
      Eigen::LLT<Matrix, Eigen::Lower> llt(regular);
      if (llt.info() == Eigen::Success) {
        lower = llt.matrixL();
        break;
      }
    }
    Solve();
  }

  void Solve() {
    alpha = Eigen::Map<const Vector>(inputs.y.data(), static_cast<Eigen::Index>(inputs.y.size()));
    lower.triangularView<Eigen::Lower>().solveInPlace(alpha);
    lower.triangularView<Eigen::Lower>().transpose().solveInPlace(alpha);
  }

  const double* Row(Eigen::Index i) const {
    return &inputs.x[static_cast<std::size_t>(i) * inputs.dimensions];
  }
  double NoiseAt(std::size_t i) const { return kernel.noise * inputs.noise_scale[i] + 1e-10; }

  Vector Covariances(const double* x) const {
    Vector k(static_cast<Eigen::Index>(inputs.y.size()));
    for (Eigen::Index i = 0; i < k.size(); ++i) k(i) = kernel.Between(Row(i), x);
    return k;
  }

  GpInputs inputs;
  GpHyper hyper;
  GpKernel kernel;
  Matrix lower;
  Vector alpha;
};

GpModel::GpModel(GpInputs inputs, GpHyper hyper)
    : state_(std::make_unique<State>(std::move(inputs), std::move(hyper))) {}
GpModel::GpModel(const GpModel& other) : state_(std::make_unique<State>(*other.state_)) {}
GpModel::GpModel(GpModel&&) noexcept = default;
GpModel& GpModel::operator=(GpModel&&) noexcept = default;
GpModel::~GpModel() = default;

std::size_t GpModel::size() const {
  return state_->inputs.y.size();
}

const GpHyper& GpModel::hyper() const {
  return state_->hyper;
}

GpModel::Prediction GpModel::Predict(std::span<const double> x) const {
  Vector k = state_->Covariances(x.data());
  double mean = k.dot(state_->alpha);
  state_->lower.triangularView<Eigen::Lower>().solveInPlace(k);
  double variance = state_->kernel.Between(x.data(), x.data()) - k.squaredNorm();
  return {mean, std::max(variance, kMinVariance)};
}

GpModel::Prediction GpModel::PredictSlope(std::span<const double> x, std::span<double> mean_slope,
                                          std::span<double> variance_slope) const {
  const State& s = *state_;
  std::size_t d = s.inputs.dimensions;
  Vector k = s.Covariances(x.data());
  double mean = k.dot(s.alpha);
  s.lower.triangularView<Eigen::Lower>().solveInPlace(k);
  double variance = s.kernel.Between(x.data(), x.data()) - k.squaredNorm();
  s.lower.triangularView<Eigen::Lower>().transpose().solveInPlace(k);
  std::ranges::fill(mean_slope, 0.0);
  std::ranges::fill(variance_slope, 0.0);
  double self = s.kernel.bowl * 4 * std::sqrt(s.kernel.Bowl(x.data(), x.data()));
  for (std::size_t c = 0; c < d; ++c) {
    if (!s.inputs.categorical[c]) {
      variance_slope[c] = self * s.kernel.bowl_scale[c] * (x[c] - s.kernel.centre[c]);
    }
  }
  for (std::size_t i = 0; i < size(); ++i) {
    const double* row = &s.inputs.x[i * d];
    double matern = 2 * s.kernel.signal * Matern52Slope(s.kernel.SquaredDistance(row, x.data()));
    double dot = 1;
    for (std::size_t c = 0; c < d; ++c) {
      dot += s.kernel.bowl_scale[c] * (row[c] - s.kernel.centre[c]) * (x[c] - s.kernel.centre[c]);
    }
    double bowl = 2 * s.kernel.bowl * dot;
    for (std::size_t c = 0; c < d; ++c) {
      if (s.inputs.categorical[c]) continue;
      double slope = matern * s.kernel.weights[c] * (x[c] - row[c]) +
                     bowl * s.kernel.bowl_scale[c] * (row[c] - s.kernel.centre[c]);
      mean_slope[c] += s.alpha(static_cast<Eigen::Index>(i)) * slope;
      variance_slope[c] -= 2 * k(static_cast<Eigen::Index>(i)) * slope;
    }
  }
  return {mean, std::max(variance, kMinVariance)};
}

std::vector<GpModel::Prediction> GpModel::PredictAll(std::span<const double> rows) const {
  const State& s = *state_;
  std::size_t d = s.inputs.dimensions;
  std::size_t count = rows.size() / d;
  Matrix k(static_cast<Eigen::Index>(size()), static_cast<Eigen::Index>(count));
  for (Eigen::Index c = 0; c < k.cols(); ++c) {
    k.col(c) = s.Covariances(&rows[static_cast<std::size_t>(c) * d]);
  }
  Vector means = k.transpose() * s.alpha;
  s.lower.triangularView<Eigen::Lower>().solveInPlace(k);
  std::vector<Prediction> predictions(count);
  for (std::size_t c = 0; c < count; ++c) {
    auto column = static_cast<Eigen::Index>(c);
    double self = s.kernel.Between(&rows[c * d], &rows[c * d]);
    predictions[c] = {means(column), std::max(self - k.col(column).squaredNorm(), kMinVariance)};
  }
  return predictions;
}

double GpModel::BestMean() const {
  const State& s = *state_;
  double best = s.inputs.y.empty() ? 0 : 1e300;
  for (std::size_t i = 0; i < size(); ++i) {
    double mean = s.inputs.y[i] - s.NoiseAt(i) * s.alpha(static_cast<Eigen::Index>(i));
    best = std::min(best, mean);
  }
  return best;
}

void GpModel::Append(std::span<const double> x, double y, double noise_scale) {
  State& s = *state_;
  Vector row = s.Covariances(x.data());
  s.lower.triangularView<Eigen::Lower>().solveInPlace(row);
  s.inputs.x.insert(s.inputs.x.end(), x.begin(), x.end());
  s.inputs.y.push_back(y);
  s.inputs.noise_scale.push_back(noise_scale);
  auto n = static_cast<Eigen::Index>(size());
  double corner = s.kernel.Between(x.data(), x.data()) + s.NoiseAt(size() - 1) - row.squaredNorm();
  s.lower.conservativeResize(n, n);
  s.lower.col(n - 1).setZero();
  s.lower.row(n - 1).head(n - 1) = row.transpose();
  s.lower(n - 1, n - 1) = std::sqrt(std::max(corner, 1e-10));
  s.Solve();
}

void GpModel::SetOutputs(std::vector<double> y) {
  YARD_CHECK(y.size() == size());
  state_->inputs.y = std::move(y);
  state_->Solve();
}

}  // namespace yard::tune
