#include "tune/samplers/gp.h"

#include <algorithm>
#include <numeric>

#include "tune/samplers/acquisition.h"
#include "tune/samplers/sobol.h"

namespace yard::tune {
namespace {

// Below this number all configurations of a discrete space are scored.
constexpr std::size_t kScoreAll = 1500;

}  // namespace

std::size_t StartupTrials(const Space& space) {
  return std::clamp<std::size_t>(space.axes().size() + 3, 5, 20);
}

std::vector<Point> BestPoints(std::span<const Observation> observations, std::size_t count) {
  std::vector<double> losses = PenalisedLosses(observations);
  std::vector<std::size_t> order(observations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  count = std::min(count, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                            [&](std::size_t a, std::size_t b) {
                              return losses[a] != losses[b] ? losses[a] < losses[b] : a < b;
                            });
  std::vector<Point> best;
  for (std::size_t i = 0; i < count; ++i) best.push_back(observations[order[i]].x);
  return best;
}

Proposal GpSampler::Suggest(const History& history, Rng& rng) {
  if (history.finished.size() < StartupTrials(space_) || space_.axes().empty()) {
    return SobolSampler(space_).Suggest(history, rng);
  }
  GpModel model = surrogate_.Update(history);
  for (const Point& pending : history.pending) {
    std::vector<double> features = Features(space_, pending);
    model.Append(features, model.Predict(features).mean, 1);
  }
  AcquisitionTask task{space_, model, WholeBox(space_), TakenPoints(space_, history), {}};
  std::optional<std::size_t> count = space_.Count();
  if (count && *count <= kScoreAll) {
    for (const Configuration& c : space_.Enumerate(kScoreAll)) {
      task.candidates.push_back(space_.Encode(c));
    }
  } else {
    std::vector<Point> good = BestPoints(history.finished, 5);
    task.candidates = MakeCandidates(space_, task.box, good, rng, {});
  }
  std::optional<Point> found = MaximizeImprovement(task);
  if (!found) return {space_.RandomPoint(rng), Origin::kRandom};
  return {*std::move(found), Origin::kGp};
}

}  // namespace yard::tune
