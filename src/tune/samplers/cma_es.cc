#include "tune/samplers/cma_es.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tune/samplers/gp.h"
#include "tune/samplers/random.h"

namespace yard::tune {
namespace {

constexpr std::size_t kWarmResults = 10;  // fewer say nothing about where to start
constexpr double kNewCategory = 0.1;

}  // namespace

CmaEsSampler::CmaEsSampler(const Space& space) : space_(space) {
  for (std::size_t a = 0; a < space.axes().size(); ++a) {
    if (space.axes()[a].kind != AxisKind::kCategorical) numeric_.push_back(a);
  }
}

CmaCells CmaEsSampler::Cells() const {
  return [this](std::size_t coordinate, double u) -> CmaCell {
    std::size_t axis = numeric_[coordinate];
    if (space_.axes()[axis].kind == AxisKind::kContinuous) return {};
    Space::Cell cell = space_.CellOf(axis, u);
    return {cell.low, cell.high};
  };
}

CmaPoint CmaEsSampler::PointOf(const Observation& observation) const {
  CmaPoint point;
  for (std::size_t a : numeric_) {
    double u = observation.latent[a];
    point.x.push_back(std::isnan(u) ? 0.5 : u);
  }
  // Infeasible results rank behind all feasible ones.
  point.loss = observation.violation > 0 ? 1e200 + observation.violation : observation.loss();
  return point;
}

void CmaEsSampler::Begin(const History& history, std::size_t before) {
  std::vector<CmaPoint> earlier;
  for (std::size_t i = 0; i < before; ++i) earlier.push_back(PointOf(history.finished[i]));
  if (earlier.size() < kWarmResults) {
    CmaStart start;
    start.mean.assign(numeric_.size(), 0.5);
    cma_.emplace(std::move(start), Cells());
    return;
  }
  std::ranges::stable_sort(earlier, {}, &CmaPoint::loss);
  earlier.resize(std::max<std::size_t>(earlier.size() / 10, 2));
  cma_.emplace(WarmStart(earlier), Cells());
}

void CmaEsSampler::Restart(std::uint64_t seed) {
  ++restarts_;
  Rng rng(seed, 0x636d6100 + restarts_);
  CmaStart start;
  for (std::size_t i = 0; i < numeric_.size(); ++i) start.mean.push_back(rng.Uniform());
  start.sigma = 0.25;
  std::size_t doublings = std::min<std::size_t>(restarts_, 5);
  start.population = cma_->population() * (restarts_ == doublings ? 2 : 1);
  cma_.emplace(std::move(start), Cells());
}

void CmaEsSampler::Consume(const History& history) {
  for (; consumed_ < history.finished.size(); ++consumed_) {
    const Observation& observation = history.finished[consumed_];
    if (observation.origin != Origin::kEvolution) continue;
    if (!cma_) Begin(history, consumed_);
    generation_.push_back(PointOf(observation));
    if (generation_.size() < cma_->population()) continue;
    cma_->Tell(std::exchange(generation_, {}));
    if (cma_->Finished()) Restart(history.seed);
  }
}

Proposal CmaEsSampler::Suggest(const History& history, Rng& rng) {
  if (numeric_.empty()) return RandomSampler(space_).Suggest(history, rng);
  Consume(history);
  // Until the first result of its own, the start follows from all results so far.
  std::optional<Cma> first;
  if (!cma_) {
    Begin(history, history.finished.size());
    first = std::exchange(cma_, std::nullopt);
  }
  std::vector<double> drawn = (first ? *first : *cma_).Draw(rng);
  Point point = space_.RandomPoint(rng);
  if (!history.finished.empty() && rng.Uniform() >= kNewCategory) {
    std::size_t quarter = std::max<std::size_t>(1, history.finished.size() / 4);
    bool categories = numeric_.size() < point.size();
    if (categories) {
      std::vector<Point> best = BestPoints(history.finished, std::min<std::size_t>(quarter, 20));
      Point parent = best[rng.Below(best.size())];
      for (std::size_t a = 0; a < point.size(); ++a) {
        if (!std::isnan(parent[a])) point[a] = parent[a];
      }
    }
  }
  for (std::size_t i = 0; i < numeric_.size(); ++i) point[numeric_[i]] = drawn[i];
  return {std::move(point), Origin::kEvolution};
}

}  // namespace yard::tune
