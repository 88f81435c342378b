#include "tune/samplers/nsga.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tune/numerics/niches.h"
#include "tune/numerics/pareto.h"
#include "tune/samplers/sobol.h"

namespace yard::tune {
namespace {

constexpr std::size_t kPopulation = 50;
constexpr double kCrossover = 0.9;
constexpr double kNudge = 0.1;  // deviation of a small mutation

}  // namespace

void NsgaSampler::Select(const History& history) {
  std::vector<std::size_t> all = parents_;
  all.insert(all.end(), generation_.begin(), generation_.end());
  generation_.clear();
  std::vector<Observation> observations;
  for (std::size_t i : all) observations.push_back(history.finished[i]);
  std::vector<std::size_t> front = FrontOf(observations);
  parents_.clear();
  for (std::size_t rank = 0; parents_.size() < std::min(kPopulation, all.size()); ++rank) {
    std::vector<std::size_t> members;
    std::vector<Losses> losses;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (front[k] != rank) continue;
      members.push_back(all[k]);
      losses.push_back(observations[k].losses);
    }
    std::size_t room = kPopulation - parents_.size();
    if (members.size() > room) {
      std::vector<Losses> kept;
      for (std::size_t i : parents_) kept.push_back(history.finished[i].losses);
      std::vector<std::size_t> order = survival_ == Survival::kCrowding
                                           ? ByCrowding(losses, room)
                                           : ByNiches(kept, losses, room);
      std::vector<std::size_t> chosen;
      for (std::size_t k : order) chosen.push_back(members[k]);
      members = std::move(chosen);
    }
    parents_.insert(parents_.end(), members.begin(), members.end());
  }
}

void NsgaSampler::Consume(const History& history) {
  for (; consumed_ < history.finished.size(); ++consumed_) {
    generation_.push_back(consumed_);
    if (generation_.size() == kPopulation) Select(history);
  }
}

std::size_t NsgaSampler::Tournament(const History& history, Rng& rng) const {
  std::size_t a = parents_[rng.Below(parents_.size())];
  std::size_t b = parents_[rng.Below(parents_.size())];
  return DominatesConstrained(history.finished[b], history.finished[a]) ? b : a;
}

Proposal NsgaSampler::Suggest(const History& history, Rng& rng) {
  Consume(history);
  if (parents_.empty()) return SobolSampler(space_).Suggest(history, rng);
  const Point& first = history.finished[Tournament(history, rng)].x;
  const Point& second = history.finished[Tournament(history, rng)].x;
  bool crossed = rng.Uniform() < kCrossover;
  Point child = space_.RandomPoint(rng);
  double chance = 1.0 / static_cast<double>(std::max<std::size_t>(child.size(), 1));
  for (std::size_t a = 0; a < child.size(); ++a) {
    double inherited = crossed && rng.Uniform() < 0.5 ? second[a] : first[a];
    double mutate = rng.Uniform();
    if (std::isnan(inherited) || mutate < chance / 2) continue;  // drawn anew
    bool number = space_.axes()[a].kind != AxisKind::kCategorical;
    if (number && mutate < 1.5 * chance) inherited += kNudge * rng.Normal();
    child[a] = number ? std::clamp(inherited, 0.0, 1.0) : inherited;
  }
  return {std::move(child), Origin::kEvolution};
}

}  // namespace yard::tune
