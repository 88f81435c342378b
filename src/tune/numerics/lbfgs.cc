#include "tune/numerics/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

namespace yard::tune {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t kMemory = 8;

double Dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Pair {
  Vector s;
  Vector y;
  double rho = 0;
};

class Search {
 public:
  Search(const Smooth& f, Vector start, const Bounds& bounds)
      : f_(f), bounds_(bounds), x_(std::move(start)), gradient_(x_.size()) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = std::clamp(x_[i], bounds_.low[i], bounds_.high[i]);
    }
    value_ = f_(x_, gradient_);
  }

  Minimum Run(const LbfgsOptions& options) {
    for (int i = 0; i < options.iterations && std::isfinite(value_); ++i) {
      if (ProjectedNorm() < options.gradient_tolerance) break;
      double before = value_;
      if (!Step()) {
        if (pairs_.empty()) break;
        pairs_.clear();  // the memory misled: once more along the gradient
        continue;
      }
      if (before - value_ <= options.value_tolerance * (std::abs(before) + 1e-12)) break;
    }
    return {x_, value_};
  }

 private:
  bool Held(std::size_t i) const {
    return (x_[i] <= bounds_.low[i] && gradient_[i] > 0) ||
           (x_[i] >= bounds_.high[i] && gradient_[i] < 0);
  }

  double ProjectedNorm() const {
    double largest = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!Held(i)) largest = std::max(largest, std::abs(gradient_[i]));
    }
    return largest;
  }

  Vector Direction() const {
    Vector q(x_.size());
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = Held(i) ? 0 : gradient_[i];
    std::vector<double> alpha(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      alpha[k] = pairs_[k].rho * Dot(pairs_[k].s, q);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] -= alpha[k] * pairs_[k].y[i];
    }
    if (!pairs_.empty()) {
      const Pair& last = pairs_.back();
      double scale = 1 / (last.rho * Dot(last.y, last.y));
      for (double& v : q) v *= scale;
    } else {
      double norm = std::sqrt(Dot(q, q));
      for (double& v : q) v /= std::max(norm, 1.0);
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      double beta = pairs_[k].rho * Dot(pairs_[k].y, q);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += (alpha[k] - beta) * pairs_[k].s[i];
    }
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = Held(i) ? 0 : -q[i];
    return q;
  }

  bool Step() {
    Vector direction = Direction();
    if (Dot(direction, gradient_) >= 0) return false;
    Vector next(x_.size());
    Vector gradient(x_.size());
    double length = 1;
    for (int attempt = 0; attempt < 20; ++attempt, length *= 0.4) {
      double expected = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) {
        next[i] = std::clamp(x_[i] + length * direction[i], bounds_.low[i], bounds_.high[i]);
        expected += gradient_[i] * (next[i] - x_[i]);
      }
      double value = f_(next, gradient);
      if (!std::isfinite(value) || value > value_ + 1e-4 * expected) continue;
      Remember(next, gradient);
      x_ = next;
      gradient_ = gradient;
      value_ = value;
      return true;
    }
    return false;
  }

  void Remember(const Vector& next, const Vector& gradient) {
    Pair pair{Vector(x_.size()), Vector(x_.size())};
    for (std::size_t i = 0; i < x_.size(); ++i) {
      pair.s[i] = next[i] - x_[i];
      pair.y[i] = gradient[i] - gradient_[i];
    }
    double curvature = Dot(pair.s, pair.y);
    if (curvature <= 1e-12 * Dot(pair.y, pair.y)) return;
    pair.rho = 1 / curvature;
    pairs_.push_back(std::move(pair));
    if (pairs_.size() > kMemory) pairs_.pop_front();
  }

  const Smooth& f_;
  const Bounds& bounds_;
  Vector x_;
  Vector gradient_;
  double value_ = 0;
  std::deque<Pair> pairs_;
};

}  // namespace

Minimum MinimizeLbfgs(const Smooth& f, std::vector<double> start, const Bounds& bounds,
                      const LbfgsOptions& options) {
  return Search(f, std::move(start), bounds).Run(options);
}

}  // namespace yard::tune
