#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "tune/numerics/gp_kernel.h"
#include "tune/numerics/gp_model.h"
#include "tune/numerics/lbfgs.h"

namespace yard::tune {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct Prior {
  double mean;
  double deviation;
};

// A length that spans most of the cube; wider with more dimensions, since distances grow with them.
Prior WeightPrior(std::size_t dimensions) {
  double log_length = std::log(0.7) + 0.5 * std::log(static_cast<double>(dimensions));
  return {-2 * log_length, 2.4};
}
constexpr Prior kSignalPrior{0, 1.5};
constexpr Prior kBowlPrior{-3, 2};
constexpr Prior kNoisePrior{-10, 3};
constexpr double kMinLogNoise = -18;

// The negative log posterior of the hyperparameters, in the order weights, signal, bowl, noise.
class Posterior {
 public:
  explicit Posterior(const GpInputs& inputs)
      : inputs_(inputs), n_(inputs.y.size()), d_(inputs.dimensions) {
    y_ = Eigen::Map<const Vector>(inputs.y.data(), static_cast<Eigen::Index>(n_));
    pairs_.resize(n_ * (n_ - 1) / 2 * d_);
    double* at = pairs_.data();
    for (std::size_t i = 1; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        for (std::size_t k = 0; k < d_; ++k) {
          double delta = inputs.x[i * d_ + k] - inputs.x[j * d_ + k];
          *at++ = inputs.categorical[k] ? (delta != 0 ? 1.0 : 0.0) : delta * delta;
        }
      }
    }
  }

  double operator()(std::span<const double> theta, std::span<double> gradient) {
    GpHyper hyper = Unpack(theta);
    GpKernel kernel(inputs_, hyper);
    if (bowls_.rows() == 0) FillBowls(kernel);
    Matrix covariance = Covariance(kernel);
    Eigen::LLT<Matrix> chol(covariance);
    if (chol.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
    Vector alpha = chol.solve(y_);
    double log_det = 2 * Matrix(chol.matrixLLT()).diagonal().array().log().sum();
    likelihood_ = -0.5 * (y_.dot(alpha) + log_det + static_cast<double>(n_) * 1.8378770664093453);
    Matrix w = alpha * alpha.transpose() - chol.solve(Matrix::Identity(n_, n_));
    Slopes(kernel, w, gradient);
    return Penalise(theta, gradient);
  }

  double likelihood() const { return likelihood_; }

  static GpHyper Unpack(std::span<const double> theta) {
    std::size_t d = theta.size() - 3;
    return {{theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(d)},
            theta[d],
            theta[d + 1],
            theta[d + 2]};
  }

 private:
  void FillBowls(const GpKernel& kernel) {
    bowls_.resize(n_, n_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        bowls_(i, j) = bowls_(j, i) = kernel.Bowl(&inputs_.x[i * d_], &inputs_.x[j * d_]);
      }
    }
    slopes_.resize(n_ * (n_ - 1) / 2);
    smooth_.resize(n_, n_);
  }

  Matrix Covariance(const GpKernel& kernel) {
    const double* delta = pairs_.data();
    std::size_t at = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      smooth_(i, i) = 1;
      for (std::size_t j = 0; j < i; ++j, ++at, delta += d_) {
        double r2 = 0;
        for (std::size_t k = 0; k < d_; ++k) r2 += kernel.weights[k] * delta[k];
        double t = std::sqrt(5 * r2);
        double e = std::exp(-t);
        smooth_(i, j) = smooth_(j, i) = e * (1 + t + t * t / 3);
        slopes_[at] = -5.0 / 6 * (1 + t) * e;
      }
    }
    Matrix covariance = kernel.signal * smooth_ + kernel.bowl * bowls_;
    for (std::size_t i = 0; i < n_; ++i) {
      covariance(i, i) += kernel.noise * inputs_.noise_scale[i] + 1e-10;
    }
    return covariance;
  }

  // Half the trace of w times the derivative of the covariance, negated for minimising.
  void Slopes(const GpKernel& kernel, const Matrix& w, std::span<double> gradient) const {
    std::vector<double> sums(d_, 0.0);
    const double* delta = pairs_.data();
    std::size_t at = 0;
    for (std::size_t i = 1; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j, ++at, delta += d_) {
        double g = w(j, i) * slopes_[at];
        for (std::size_t k = 0; k < d_; ++k) sums[k] += g * delta[k];
      }
    }
    for (std::size_t k = 0; k < d_; ++k) {
      gradient[k] = -kernel.signal * kernel.weights[k] * sums[k];
    }
    gradient[d_] = -0.5 * kernel.signal * w.cwiseProduct(smooth_).sum();
    gradient[d_ + 1] = -0.5 * kernel.bowl * w.cwiseProduct(bowls_).sum();
    double noise = 0;
    for (std::size_t i = 0; i < n_; ++i) noise += w(i, i) * inputs_.noise_scale[i];
    gradient[d_ + 2] = -0.5 * kernel.noise * noise;
  }

  double Penalise(std::span<const double> theta, std::span<double> gradient) const {
    double value = -likelihood_;
    auto add = [&](std::size_t i, Prior prior) {
      double z = (theta[i] - prior.mean) / prior.deviation;
      value += 0.5 * z * z;
      gradient[i] += z / prior.deviation;
    };
    for (std::size_t k = 0; k < d_; ++k) add(k, WeightPrior(d_));
    add(d_, kSignalPrior);
    add(d_ + 1, kBowlPrior);
    add(d_ + 2, kNoisePrior);
    return value;
  }

  const GpInputs& inputs_;
  std::size_t n_;
  std::size_t d_;
  Vector y_;
  std::vector<double> pairs_;  // squared differences of every pair of rows
  std::vector<double> slopes_;
  Matrix smooth_;
  Matrix bowls_;
  double likelihood_ = 0;
};

}  // namespace

GpHyper DefaultHyper(std::size_t dimensions) {
  return {std::vector<double>(dimensions, WeightPrior(dimensions).mean + 1), 0, -3, -9};
}

GpHyper BowlHyper(std::size_t dimensions) {
  return {std::vector<double>(dimensions, WeightPrior(dimensions).mean), -6, 0, -12};
}

GpFit FitGp(const GpInputs& inputs, const GpHyper& start, int iterations) {
  Posterior posterior(inputs);
  std::vector<double> theta = start.log_weights;
  theta.insert(theta.end(), {start.log_signal, start.log_bowl, start.log_noise});
  Bounds bounds{std::vector<double>(theta.size(), -12), std::vector<double>(theta.size(), 12)};
  bounds.low[theta.size() - 1] = kMinLogNoise;
  bounds.high[theta.size() - 1] = 1;
  LbfgsOptions options{
      .iterations = iterations, .gradient_tolerance = 0.02, .value_tolerance = 1e-6};
  Minimum found =
      MinimizeLbfgs([&](std::span<const double> x, std::span<double> g) { return posterior(x, g); },
                    std::move(theta), bounds, options);
  std::vector<double> gradient(found.x.size());
  posterior(found.x, gradient);
  return {Posterior::Unpack(found.x), posterior.likelihood()};
}

}  // namespace yard::tune
