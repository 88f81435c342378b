#include "tune/samplers/auto.h"

#include <algorithm>
#include <array>
#include <limits>

#include "tune/samplers/sobol.h"

namespace yard::tune {
namespace {

constexpr std::size_t kModelTrials = 300;  // results up to which a process over all is used
constexpr std::size_t kLateTrials = 1000;
constexpr std::size_t kModelAxes = 60;
constexpr std::size_t kPopulationTrials = 250;  // several objectives: results before evolution
constexpr std::size_t kSecondOpinion = 4;       // every so many suggestions, on average
constexpr std::size_t kWindow = 20;             // suggestions of each kind that are remembered

// How often suggestions of this origin improved on the best before them, of late.
double SuccessRate(std::span<const Observation> finished, Origin origin) {
  double best = std::numeric_limits<double>::infinity();
  std::vector<double> wins;
  for (const Observation& o : finished) {
    bool win = o.violation == 0 && o.loss() < best;
    if (win) best = o.loss();
    if (o.origin == origin) wins.push_back(win ? 1 : 0);
  }
  std::size_t count = std::min(kWindow, wins.size());
  double sum = 1;
  for (std::size_t i = wins.size() - count; i < wins.size(); ++i) sum += wins[i];
  return sum / (static_cast<double>(count) + 2);
}

}  // namespace

AutoSampler::AutoSampler(const Space& space)
    : space_(space),
      gp_(space),
      local_(space),
      tpe_(space, TpeSampler::Model::kJoint),
      cma_(space),
      nsga2_(space, NsgaSampler::Survival::kCrowding),
      nsga3_(space, NsgaSampler::Survival::kNiches) {}

Proposal AutoSampler::SuggestMany(const History& history, Rng& rng) {
  if (history.finished.size() < kPopulationTrials) return tpe_.Suggest(history, rng);
  return history.objectives < 4 ? nsga2_.Suggest(history, rng) : nsga3_.Suggest(history, rng);
}

Proposal AutoSampler::SuggestLate(const History& history, Rng& rng) {
  bool numeric = std::ranges::none_of(
      space_.axes(), [](const Axis& a) { return a.kind == AxisKind::kCategorical; });
  bool evolves = numeric && !space_.IsDiscrete() && !space_.IsConditional();
  if (!evolves) return tpe_.Suggest(history, rng);
  // The model around the best point finishes what the evolution finds; later its time counts more.
  std::array chances = {SuccessRate(history.finished, Origin::kEvolution),
                        SuccessRate(history.finished, Origin::kLocal)};
  if (history.finished.size() > kLateTrials) chances[1] = std::min(chances[1], chances[0] / 8);
  return rng.Pick(chances) == 0 ? cma_.Suggest(history, rng) : local_.Suggest(history, rng);
}

Proposal AutoSampler::Suggest(const History& history, Rng& rng) {
  std::size_t n = history.finished.size();
  if (n < StartupTrials(space_)) return SobolSampler(space_).Suggest(history, rng);
  if (history.objectives > 1) return SuggestMany(history, rng);
  if (n >= kModelTrials || space_.axes().size() > kModelAxes) return SuggestLate(history, rng);
  if (space_.IsDiscrete()) {
    // A second opinion: one model alone may be sure of something wrong.
    return rng.Below(kSecondOpinion) == 0 ? tpe_.Suggest(history, rng) : gp_.Suggest(history, rng);
  }
  std::array chances = {SuccessRate(history.finished, Origin::kGp),
                        SuccessRate(history.finished, Origin::kLocal)};
  return rng.Pick(chances) == 0 ? gp_.Suggest(history, rng) : local_.Suggest(history, rng);
}

}  // namespace yard::tune
