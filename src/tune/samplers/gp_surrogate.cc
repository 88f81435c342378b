#include "tune/samplers/gp_surrogate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"

namespace yard::tune {
namespace {

constexpr std::size_t kMaxFitRows = 256;
constexpr int kTryIterations = 12;
constexpr int kFitIterations = 40;

// The largest size of the sequence of fits that is at most n: every size at first, then fewer.
std::size_t FitSize(std::size_t n) {
  std::size_t size = 1;
  for (;;) {
    std::size_t next = size + std::max<std::size_t>(1, size / 12);
    if (next > n) return size;
    size = next;
  }
}

std::vector<Observation> RowsToFit(std::span<const Observation> rows) {
  if (rows.size() <= kMaxFitRows) return {rows.begin(), rows.end()};
  std::vector<double> losses = PenalisedLosses(rows);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return losses[i]; });
  std::vector<std::size_t> chosen(order.begin(), order.begin() + kMaxFitRows / 2);
  std::size_t rest = rows.size() - kMaxFitRows / 2;
  for (std::size_t i = 0; i < kMaxFitRows / 2; ++i) {
    chosen.push_back(order[kMaxFitRows / 2 + i * rest / (kMaxFitRows / 2)]);
  }
  std::ranges::sort(chosen);
  std::vector<Observation> picked;
  for (std::size_t i : chosen) picked.push_back(rows[i]);
  return picked;
}

}  // namespace

std::vector<double> Features(const Space& space, std::span<const double> point) {
  std::vector<double> features(point.begin(), point.end());
  std::span<const Axis> axes = space.axes();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!std::isnan(features[i])) continue;
    bool category = axes[i].kind == AxisKind::kCategorical;
    features[i] = category ? static_cast<double>(axes[i].levels) : 0.5;
  }
  return features;
}

std::vector<double> PenalisedLosses(std::span<const Observation> observations) {
  double worst = -std::numeric_limits<double>::infinity();
  double best = std::numeric_limits<double>::infinity();
  for (const Observation& o : observations) {
    if (o.violation > 0) continue;
    worst = std::max(worst, o.loss());
    best = std::min(best, o.loss());
  }
  bool none = worst < best;
  double spread = none || worst == best ? 1 : worst - best;
  std::vector<double> losses;
  losses.reserve(observations.size());
  for (const Observation& o : observations) {
    if (o.violation == 0) {
      losses.push_back(o.loss());
    } else {
      losses.push_back((none ? 0 : worst) + spread * o.violation / (1 + o.violation));
    }
  }
  return losses;
}

GpInputs MakeInputs(const Space& space, std::span<const Observation> rows) {
  GpInputs inputs;
  inputs.dimensions = space.axes().size();
  for (const Axis& axis : space.axes()) {
    inputs.categorical.push_back(axis.kind == AxisKind::kCategorical);
  }
  inputs.centre.assign(inputs.dimensions, 0.5);
  inputs.unit.assign(inputs.dimensions, 1.0);
  for (const Observation& row : rows) {
    std::vector<double> features = Features(space, row.x);
    inputs.x.insert(inputs.x.end(), features.begin(), features.end());
    inputs.noise_scale.push_back(row.pruned ? 4 : 1 / row.count);
  }
  return inputs;
}

WarpedFit FitWarped(GpInputs inputs, std::span<const double> losses) {
  WarpedFit best;
  double best_score = -std::numeric_limits<double>::infinity();
  auto attempt = [&](const Warp& warp, const GpHyper& start) {
    Warped warped = Apply(warp, losses);
    inputs.y = warped.y;
    GpFit fit = FitGp(inputs, start, kTryIterations);
    double score = fit.log_likelihood + warped.log_density;
    if (!(score > best_score) && !best.hyper.log_weights.empty()) return;
    best_score = score;
    best = {warp, fit.hyper};
  };
  for (const Warp& warp : WarpsFor(losses)) attempt(warp, DefaultHyper(inputs.dimensions));
  // Almost nothing but a bowl: a likely case that is far from the other starts.
  attempt(Warp{}, BowlHyper(inputs.dimensions));
  inputs.y = Apply(best.warp, losses).y;
  best.hyper = FitGp(inputs, best.hyper, kFitIterations).hyper;
  return best;
}

void GpSurrogate::Fit(std::span<const Observation> finished) {
  std::vector<Observation> rows = RowsToFit(finished);
  WarpedFit fit = FitWarped(MakeInputs(space_, rows), PenalisedLosses(rows));
  warp_ = fit.warp;
  fitted_ = finished.size();
  GpInputs inputs = MakeInputs(space_, finished);
  inputs.y = Apply(warp_, PenalisedLosses(finished)).y;
  model_.emplace(std::move(inputs), std::move(fit.hyper));
}

const GpModel& GpSurrogate::Update(const History& history) {
  std::span<const Observation> finished = history.finished;
  YARD_CHECK(!finished.empty());
  std::size_t size = FitSize(finished.size());
  if (!model_ || size != fitted_ || model_->size() > finished.size()) Fit(finished.first(size));
  for (std::size_t i = model_->size(); i < finished.size(); ++i) {
    const Observation& row = finished[i];
    model_->Append(Features(space_, row.x), 0, row.pruned ? 4 : 1 / row.count);
  }
  model_->SetOutputs(Apply(warp_, PenalisedLosses(finished)).y);
  return *model_;
}

}  // namespace yard::tune
