#include "tune/samplers/acquisition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tune/numerics/normal.h"
#include "tune/numerics/sobol.h"
#include "tune/samplers/gp_surrogate.h"
#include "tune/samplers/sobol.h"

namespace yard::tune {
namespace {

constexpr std::size_t kImproved = 4;  // candidates that are improved
constexpr int kRounds = 4;
constexpr std::size_t kAllLevels = 16;  // levels that are all tried in an exchange

double LogEi(const GpModel::Prediction& p, double best) {
  double deviation = std::sqrt(p.variance);
  return LogImprovement((best - p.mean) / deviation) + std::log(deviation);
}

class Improver {
 public:
  explicit Improver(const AcquisitionTask& task)
      : task_(task), best_mean_(task.model.BestMean()), axes_(task.space.axes()) {}

  std::vector<double> ScoreAll(std::span<const Point> points) const {
    std::vector<double> rows;
    for (const Point& p : points) rows.insert(rows.end(), p.begin(), p.end());
    std::vector<double> scores;
    for (const GpModel::Prediction& p : task_.model.PredictAll(rows)) {
      scores.push_back(LogEi(p, best_mean_));
    }
    return scores;
  }

  struct Found {
    Point point;
    double score = 0;
  };

  Found Improve(Found at) const {
    for (int round = 0; round < kRounds; ++round) {
      double before = at.score;
      Slide(at);
      bool exchanged = Exchange(at);
      if (!exchanged || at.score < before + 1e-4) break;
    }
    return at;
  }

 private:
  bool Allowed(const Point& point) const {
    return !task_.space.HasConstraints() || task_.space.Satisfies(task_.space.Decode(point));
  }

  // Continuous coordinates along the gradient.
  void Slide(Found& at) const {
    std::vector<std::size_t> moving;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (axes_[i].kind == AxisKind::kContinuous) moving.push_back(i);
    }
    if (moving.empty()) return;
    Bounds bounds;
    std::vector<double> start;
    for (std::size_t i : moving) {
      bounds.low.push_back(task_.box.low[i]);
      bounds.high.push_back(task_.box.high[i]);
      start.push_back(at.point[i]);
    }
    Point point = at.point;
    std::vector<double> mean_slope(axes_.size());
    std::vector<double> variance_slope(axes_.size());
    auto negated = [&](std::span<const double> x, std::span<double> gradient) {
      for (std::size_t k = 0; k < moving.size(); ++k) point[moving[k]] = x[k];
      GpModel::Prediction p = task_.model.PredictSlope(point, mean_slope, variance_slope);
      double deviation = std::sqrt(p.variance);
      double z = (best_mean_ - p.mean) / deviation;
      double slope = LogImprovementSlope(z);
      for (std::size_t k = 0; k < moving.size(); ++k) {
        std::size_t i = moving[k];
        double relative = variance_slope[i] / (2 * p.variance);
        gradient[k] = -(slope * (-mean_slope[i] / deviation - z * relative) + relative);
      }
      return -(LogImprovement(z) + std::log(deviation));
    };
    Minimum found =
        MinimizeLbfgs(negated, start, bounds,
                      {.iterations = 30, .gradient_tolerance = 1e-4, .value_tolerance = 1e-7});
    if (!(-found.value > at.score)) return;
    for (std::size_t k = 0; k < moving.size(); ++k) point[moving[k]] = found.x[k];
    if (!Allowed(point)) return;
    at = {point, -found.value};
  }

  // The best change of one discrete coordinate, if any is better.
  bool Exchange(Found& at) const {
    std::vector<Point> others;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (axes_[i].kind == AxisKind::kContinuous) continue;
      std::size_t level = task_.space.LevelOf(i, at.point[i]);
      std::size_t low = axes_[i].levels <= kAllLevels || level < 4 ? 0 : level - 4;
      std::size_t high =
          axes_[i].levels <= kAllLevels ? axes_[i].levels : std::min(axes_[i].levels, level + 5);
      for (std::size_t other = low; other < high; ++other) {
        double u = task_.space.LevelAt(i, other);
        if (other == level || u < task_.box.low[i] || u > task_.box.high[i]) continue;
        Point changed = at.point;
        changed[i] = u;
        changed = Features(task_.space, task_.space.Snap(changed));
        if (!task_.taken.contains(changed) && Allowed(changed))
          others.push_back(std::move(changed));
      }
    }
    if (others.empty()) return false;
    std::vector<double> scores = ScoreAll(others);
    auto best = static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
    if (scores[best] <= at.score) return false;
    at = {others[best], scores[best]};
    return true;
  }

  const AcquisitionTask& task_;
  double best_mean_;
  std::span<const Axis> axes_;
};

Point Perturb(const Space& space, const Bounds& box, Point point, Rng& rng) {
  constexpr std::array kSizes = {0.3, 0.1, 0.03, 0.01};
  std::span<const Axis> axes = space.axes();
  double size = kSizes[rng.Below(kSizes.size())];
  double chance = rng.Uniform() < 0.5 ? 1.0 : 2.0 / static_cast<double>(axes.size());
  std::size_t forced = rng.Below(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i != forced && rng.Uniform() >= chance) continue;
    if (axes[i].kind == AxisKind::kCategorical) {
      if (i == forced || rng.Uniform() < 0.3) {
        point[i] = static_cast<double>(rng.Below(axes[i].levels));
      }
      continue;
    }
    double cell = axes[i].levels == 0 ? 0 : 1.0 / static_cast<double>(axes[i].levels);
    double width = std::max(size * (box.high[i] - box.low[i]), cell);
    point[i] = std::clamp(point[i] + width * rng.Normal(), box.low[i], box.high[i]);
  }
  return point;
}

}  // namespace

std::optional<Point> MaximizeImprovement(const AcquisitionTask& task) {
  std::vector<Point> points;
  for (const Point& candidate : task.candidates) {
    Point features = Features(task.space, task.space.Snap(candidate));
    if (!task.taken.contains(features)) points.push_back(std::move(features));
  }
  if (points.empty()) return std::nullopt;
  Improver improver(task);
  std::vector<double> scores = improver.ScoreAll(points);
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t count = std::min(kImproved, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                            [&](std::size_t a, std::size_t b) {
                              return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                            });
  Improver::Found best{points[order[0]], scores[order[0]]};
  for (std::size_t k = 0; k < count; ++k) {
    Improver::Found found = improver.Improve({points[order[k]], scores[order[k]]});
    if (found.score > best.score) best = std::move(found);
  }
  return best.point;
}

std::vector<Point> MakeCandidates(const Space& space, const Bounds& box,
                                  std::span<const Point> good, Rng& rng,
                                  const CandidateOptions& options) {
  std::size_t d = space.axes().size();
  std::vector<Point> candidates;
  std::vector<double> cube = SobolPoints(d, 0, options.even, rng.Next());
  for (std::size_t i = 0; i < options.even; ++i) {
    Point point = FromCube(space, std::span(cube).subspan(i * d, d));
    for (std::size_t a = 0; a < d; ++a) {
      if (space.axes()[a].kind == AxisKind::kCategorical) continue;
      point[a] = box.low[a] + point[a] * (box.high[a] - box.low[a]);
    }
    candidates.push_back(std::move(point));
  }
  for (const Point& centre : good) {
    Point start = Features(space, centre);
    for (std::size_t i = 0; i < options.near_each; ++i) {
      candidates.push_back(Perturb(space, box, start, rng));
    }
  }
  if (space.HasConstraints()) {
    std::erase_if(candidates, [&](const Point& p) { return !space.Satisfies(space.Decode(p)); });
  }
  return candidates;
}

std::set<Point> TakenPoints(const Space& space, const History& history) {
  std::set<Point> taken;
  if (!space.IsDiscrete()) return taken;
  for (const Observation& o : history.finished) taken.insert(Features(space, o.x));
  for (const Point& p : history.pending) taken.insert(Features(space, p));
  return taken;
}

Bounds WholeBox(const Space& space) {
  std::size_t d = space.axes().size();
  return {std::vector<double>(d, 0.0), std::vector<double>(d, 1.0)};
}

}  // namespace yard::tune
