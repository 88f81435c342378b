#include "tune/samplers/local.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tune/samplers/acquisition.h"
#include "tune/samplers/gp.h"
#include "tune/samplers/gp_surrogate.h"

namespace yard::tune {
namespace {

constexpr double kGrow = 1.5;    // the box beyond the span of the nearest
constexpr double kLeast = 1e-9;  // half its least width
constexpr double kFar = 1000;    // half widths; beside rows beyond, those inside are rounded away
constexpr double kApart = 0.1;   // between two basins, in diagonals of the cube
constexpr std::size_t kBasins = 4;  // that are visited in turn

double Distance(const Space& space, const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    bool category = space.axes()[i].kind == AxisKind::kCategorical;
    double delta = category ? (a[i] != b[i] ? 0.5 : 0.0) : a[i] - b[i];
    sum += delta * delta;
  }
  return sum;
}

struct Neighbourhood {
  Point best;
  std::vector<Observation> rows;
};

// Twice as many as a full quadratic has coefficients, as long as that is cheap.
std::size_t NeighbourCount(std::size_t d) {
  return std::clamp<std::size_t>((d + 1) * (d + 2), 12, 100);
}

// Suggestions of this sampler since one of them was the best of all.
std::size_t Failures(std::span<const Observation> finished) {
  double best = std::numeric_limits<double>::infinity();
  std::size_t failures = 0;
  for (const Observation& o : finished) {
    bool win = o.violation == 0 && o.loss() < best;
    if (win) best = o.loss();
    if (o.origin == Origin::kLocal) failures = win ? 0 : failures + 1;
  }
  return failures;
}

// The best point; or, after many failures around it, the best one far from it, and so on.
Point CentreOf(const Space& space, std::span<const Observation> finished) {
  std::size_t d = space.axes().size();
  std::size_t skipped = Failures(finished) / (2 * (d + 1)) % kBasins;
  double apart = kApart * kApart * static_cast<double>(d);
  std::vector<Point> centres;
  for (const Point& x : BestPoints(finished, finished.size())) {
    Point features = Features(space, x);
    bool far = std::ranges::all_of(
        centres, [&](const Point& c) { return Distance(space, features, c) > apart; });
    if (far) centres.push_back(std::move(features));
    if (centres.size() > skipped) break;
  }
  return centres.back();
}

Neighbourhood Around(const Space& space, std::span<const Observation> finished) {
  Neighbourhood around;
  around.best = CentreOf(space, finished);
  std::vector<double> distance;
  for (const Observation& o : finished) {
    distance.push_back(Distance(space, Features(space, o.x), around.best));
  }
  std::vector<std::size_t> order(finished.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return distance[i]; });
  order.resize(std::min(order.size(), NeighbourCount(space.axes().size())));
  for (std::size_t i : order) around.rows.push_back(finished[i]);
  return around;
}

// Half widths by axis: how far the nearest third of the rows is from the best.
std::vector<double> HalfWidths(const Space& space, const Neighbourhood& around) {
  std::size_t d = around.best.size();
  std::vector<double> widths(d, kLeast);
  std::size_t nearest = std::min(around.rows.size(), std::max<std::size_t>(d + 2, 4));
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = 0; k < nearest; ++k) {
      double u = Features(space, around.rows[k].x)[i];
      widths[i] = std::max(widths[i], kGrow * std::abs(u - around.best[i]));
    }
  }
  // A direction that the neighbours do not span must not stay closed.
  double widest = *std::ranges::max_element(widths);
  for (double& width : widths) width = std::max(width, 0.1 * widest);
  return widths;
}

void DropFarRows(const Space& space, const std::vector<double>& widths, Neighbourhood& around) {
  std::erase_if(around.rows, [&](const Observation& row) {
    std::vector<double> u = Features(space, row.x);
    for (std::size_t i = 0; i < u.size(); ++i) {
      bool number = space.axes()[i].kind != AxisKind::kCategorical;
      if (number && std::abs(u[i] - around.best[i]) > kFar * widths[i]) return true;
    }
    return false;
  });
}

}  // namespace

Proposal LocalSampler::Suggest(const History& history, Rng& rng) {
  Neighbourhood around = Around(space_, history.finished);
  std::vector<double> widths = HalfWidths(space_, around);
  DropFarRows(space_, widths, around);
  GpInputs inputs = MakeInputs(space_, around.rows);
  Bounds box = WholeBox(space_);
  std::size_t d = inputs.dimensions;
  for (std::size_t i = 0; i < d; ++i) {
    if (inputs.categorical[i]) continue;
    box.low[i] = std::max(0.0, around.best[i] - widths[i]);
    box.high[i] = std::min(1.0, around.best[i] + widths[i]);
    inputs.centre[i] = around.best[i];
    // In units of the box the priors of the model mean the same at every size.
    inputs.unit[i] = 2 * widths[i];
  }
  std::vector<double> losses = PenalisedLosses(around.rows);
  WarpedFit fit = FitWarped(inputs, losses);
  inputs.y = Apply(fit.warp, losses).y;
  GpModel model(std::move(inputs), std::move(fit.hyper));
  for (const Point& pending : history.pending) {
    std::vector<double> features = Features(space_, pending);
    model.Append(features, model.Predict(features).mean, 1);
  }
  AcquisitionTask task{space_, model, box, TakenPoints(space_, history), {}};
  std::vector<Point> good = BestPoints(around.rows, 3);
  task.candidates = MakeCandidates(space_, box, good, rng, {.even = 100, .near_each = 40});
  std::optional<Point> found = MaximizeImprovement(task);
  if (!found) return {space_.RandomPoint(rng), Origin::kRandom};
  return {*std::move(found), Origin::kLocal};
}

}  // namespace yard::tune
