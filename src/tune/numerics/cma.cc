#include "tune/numerics/cma.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Dense>

#include "tune/numerics/normal.h"

namespace yard::tune {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kSmallest = 1e-11;  // spread below which the search has ended
constexpr double kWarmSpread = 0.1;

// The square root of the quantile of chi-square with one degree at 1 - 2p.
double MarginQuantile(double p) {
  return NormalQuantile(1 - std::clamp(p, 1e-10, 0.5 - 1e-10));
}

}  // namespace

struct Cma::State {
  State(const CmaStart& start, CmaCells given);
  void SetWeights();
  void Update(const std::vector<Vector>& steps);
  void Decompose();
  void Margin();
  void MarginAt(Eigen::Index i, CmaCell cell);

  Eigen::Index d;
  std::size_t lambda;
  CmaCells cells;
  Vector mean;
  double sigma;
  Matrix covariance;
  Matrix basis;    // eigenvectors
  Vector lengths;  // square roots of eigenvalues
  Vector stretch;  // of the margin, by coordinate
  Vector path_sigma;
  Vector path_c;
  Vector weights;  // positive first, negative last
  double mu_eff = 0;
  double c1 = 0;
  double cmu = 0;
  double c_sigma = 0;
  double d_sigma = 0;
  double cc = 0;
  double chi = 0;
  int generations = 0;
  bool flat = false;
};

Cma::State::State(const CmaStart& start, CmaCells given)
    : d(static_cast<Eigen::Index>(start.mean.size())),
      lambda(start.population != 0
                 ? start.population
                 : 4 + static_cast<std::size_t>(3 * std::log(static_cast<double>(d)))),
      cells(std::move(given)),
      mean(Eigen::Map<const Vector>(start.mean.data(), d)),
      sigma(start.sigma),
      covariance(Matrix::Identity(d, d)),
      stretch(Vector::Ones(d)),
      path_sigma(Vector::Zero(d)),
      path_c(Vector::Zero(d)) {
  if (!start.covariance.empty()) {
    covariance = Eigen::Map<const Matrix>(start.covariance.data(), d, d);
  }
  SetWeights();
  Decompose();
}

void Cma::State::SetWeights() {
  auto n = static_cast<double>(d);
  auto count = static_cast<Eigen::Index>(lambda);
  Vector raw(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    raw(i) = std::log((static_cast<double>(lambda) + 1) / 2) - std::log(static_cast<double>(i) + 1);
  }
  Eigen::Index mu = count / 2;
  double positive = raw.head(mu).sum();
  mu_eff = positive * positive / raw.head(mu).squaredNorm();
  double negative = -raw.tail(count - mu).sum();
  double mu_eff_minus = negative * negative / raw.tail(count - mu).squaredNorm();
  c1 = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
  cmu = std::min(1 - c1 - 1e-8, 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2) * (n + 2) + mu_eff));
  double scale =
      std::min({1 + c1 / cmu, 1 + 2 * mu_eff_minus / (mu_eff + 2), (1 - c1 - cmu) / (n * cmu)});
  weights = raw;
  for (Eigen::Index i = 0; i < count; ++i) {
    weights(i) =
        i < mu ? raw(i) / positive : std::min(raw(i), 0.0) * scale / std::max(negative, 1e-12);
  }
  c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
  d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (n + 1)) - 1) + c_sigma;
  cc = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
  chi = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

void Cma::State::Decompose() {
  covariance = (covariance + covariance.transpose().eval()) / 2;
  Eigen::SelfAdjointEigenSolver<Matrix> solver(covariance);
  basis = solver.eigenvectors();
  lengths = solver.eigenvalues().cwiseMax(1e-20).cwiseSqrt();
}

void Cma::State::Update(const std::vector<Vector>& steps) {
  Eigen::Index mu = static_cast<Eigen::Index>(lambda) / 2;
  Vector move = Vector::Zero(d);
  for (Eigen::Index i = 0; i < mu; ++i) move += weights(i) * steps[static_cast<std::size_t>(i)];
  mean += sigma * stretch.cwiseProduct(move);
  mean = mean.cwiseMax(0.0).cwiseMin(1.0);
  auto whiten = [&](const Vector& v) -> Vector {
    return basis * (basis.transpose() * v).cwiseQuotient(lengths);
  };
  path_sigma =
      (1 - c_sigma) * path_sigma + std::sqrt(c_sigma * (2 - c_sigma) * mu_eff) * whiten(move);
  ++generations;
  double norm = path_sigma.norm();
  double decay = std::sqrt(1 - std::pow(1 - c_sigma, 2.0 * generations));
  double h = norm / decay < (1.4 + 2 / (static_cast<double>(d) + 1)) * chi ? 1 : 0;
  path_c = (1 - cc) * path_c + h * std::sqrt(cc * (2 - cc) * mu_eff) * move;
  double kept = 1 + c1 * (1 - h) * cc * (2 - cc) - c1 - cmu * weights.sum();
  Matrix next = kept * covariance + c1 * path_c * path_c.transpose();
  for (std::size_t i = 0; i < lambda; ++i) {
    double w = weights(static_cast<Eigen::Index>(i));
    if (w < 0) w *= static_cast<double>(d) / (whiten(steps[i]).squaredNorm() + 1e-12);
    next += cmu * w * steps[i] * steps[i].transpose();
  }
  covariance = next;
  sigma = std::min(sigma * std::exp(std::min(1.0, c_sigma / d_sigma * (norm / chi - 1))), 1.0);
  Decompose();
}

// Keeps the chance of leaving the cell of a discrete coordinate above 1 / (d λ).
void Cma::State::Margin() {
  for (Eigen::Index i = 0; i < d; ++i) {
    CmaCell cell = cells(static_cast<std::size_t>(i), mean(i));
    if (cell.low < cell.high) MarginAt(i, cell);
  }
}

void Cma::State::MarginAt(Eigen::Index i, CmaCell cell) {
  double alpha = 1 / (static_cast<double>(d) * static_cast<double>(lambda));
  double plain = sigma * std::sqrt(covariance(i, i));
  double spread = plain * stretch(i);
  bool lowest = cell.low <= 1e-12;
  bool highest = cell.high >= 1 - 1e-12;
  if (lowest && highest) return;
  if (lowest || highest) {
    // At an edge there is one way out: move the mean so that it stays open.
    double limit = lowest ? cell.high : cell.low;
    double reach = spread * MarginQuantile(alpha);
    mean(i) = lowest ? std::max(mean(i), limit - reach) : std::min(mean(i), limit + reach);
    return;
  }
  double low = NormalCdf((cell.low - mean(i)) / spread);
  double high = NormalCdf((mean(i) - cell.high) / spread);
  double middle = 1 - low - high;
  double new_low = std::max(alpha / 2, low);
  double new_high = std::max(alpha / 2, high);
  double excess = 1 - new_low - new_high - middle;
  double denominator = new_low + new_high + middle - 3 * alpha / 2;
  if (std::abs(denominator) > 1e-12) {
    new_low += excess * (new_low - alpha / 2) / denominator;
    new_high += excess * (new_high - alpha / 2) / denominator;
  }
  double q_low = MarginQuantile(new_low);
  double q_high = MarginQuantile(new_high);
  if (q_low + q_high < 1e-9) return;
  stretch(i) = (cell.high - cell.low) / ((q_low + q_high) * plain);
  mean(i) = (cell.low * q_high + cell.high * q_low) / (q_low + q_high);
}

Cma::Cma(CmaStart start, CmaCells cells)
    : state_(std::make_unique<State>(start, std::move(cells))) {}
Cma::Cma(Cma&&) noexcept = default;
Cma& Cma::operator=(Cma&&) noexcept = default;
Cma::~Cma() = default;

std::size_t Cma::population() const {
  return state_->lambda;
}

std::vector<double> Cma::Draw(Rng& rng) const {
  const State& s = *state_;
  std::vector<double> x(static_cast<std::size_t>(s.d));
  for (Eigen::Index attempt = 0; attempt < 10 * s.d; ++attempt) {
    Vector z(s.d);
    for (double& v : z) v = rng.Normal();
    Vector step = s.basis * s.lengths.cwiseProduct(z);
    Vector drawn = s.mean + s.sigma * s.stretch.cwiseProduct(step);
    std::ranges::copy(drawn, x.begin());
    if (std::ranges::all_of(x, [](double u) { return u >= 0 && u <= 1; })) return x;
  }
  for (double& u : x) u = std::clamp(u, 0.0, 1.0);
  return x;
}

void Cma::Tell(std::vector<CmaPoint> generation) {
  State& s = *state_;
  std::ranges::stable_sort(generation, {}, &CmaPoint::loss);
  s.flat = generation.front().loss == generation.back().loss;
  std::vector<Vector> steps;
  for (const CmaPoint& point : generation) {
    Vector x = Eigen::Map<const Vector>(point.x.data(), s.d);
    Vector step = (x - s.mean).cwiseQuotient(s.sigma * s.stretch);
    // A point from elsewhere must not blow up the step size.
    double length = (s.basis.transpose() * step).cwiseQuotient(s.lengths).norm();
    double limit = std::sqrt(static_cast<double>(s.d)) +
                   2 * static_cast<double>(s.d) / (static_cast<double>(s.d) + 2) + 1;
    steps.push_back(length > limit ? Vector(step * (limit / length)) : step);
  }
  s.Update(steps);
  s.Margin();
}

bool Cma::Finished() const {
  const State& s = *state_;
  double widest = s.sigma * s.lengths.maxCoeff();
  return s.flat || widest < kSmallest || s.lengths.maxCoeff() > 1e7 * s.lengths.minCoeff();
}

CmaStart WarmStart(std::span<const CmaPoint> best) {
  auto d = static_cast<Eigen::Index>(best[0].x.size());
  auto n = static_cast<double>(best.size());
  Vector mean = Vector::Zero(d);
  for (const CmaPoint& p : best) mean += Eigen::Map<const Vector>(p.x.data(), d) / n;
  Matrix spread = Matrix::Identity(d, d) * (kWarmSpread * kWarmSpread);
  for (const CmaPoint& p : best) {
    Vector delta = Eigen::Map<const Vector>(p.x.data(), d) - mean;
    spread += delta * delta.transpose() / n;
  }
  double log_det = spread.llt().matrixLLT().diagonal().array().log().sum();
  double sigma = std::exp(log_det / static_cast<double>(d));
  Matrix shape = spread / (sigma * sigma);
  CmaStart start;
  start.mean.assign(mean.begin(), mean.end());
  start.sigma = sigma;
  start.covariance.assign(shape.data(), shape.data() + d * d);
  return start;
}

}  // namespace yard::tune
