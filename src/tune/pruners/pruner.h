// Pruners decide from intermediate values whether a trial goes on.
//
// Losses are minimised: the caller changes the sign of maximised values. A pruner is a pure
// function of the curves; nothing is remembered between calls.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tune/trial.h"

namespace yard::tune {

// The reports of one trial as losses, sorted by step.
struct Curve {
  TrialNumber trial{};
  TrialState state = TrialState::kRunning;
  std::vector<Report> reports;
};

enum class Advice {
  kContinue,
  kStop,
  kPause,  // wait at a rung for the others; may be promoted later, from a checkpoint
};

struct Verdict {
  Advice advice = Advice::kContinue;
  std::string reason = {};  // one sentence, for people; empty when it goes on
  // Not empty: a successor takes its place and starts from the checkpoint of this trial.
  std::optional<TrialNumber> successor_from = {};
};

class Pruner {
 public:
  virtual ~Pruner() = default;
  // About `curves[subject]`, whose last report is the newest.
  virtual Verdict Judge(std::span<const Curve> curves, std::size_t subject) const = 0;
  // Paused trials that may go on now, the most urgent first.
  virtual std::vector<TrialNumber> Promotions(std::span<const Curve> /*curves*/) const {
    return {};
  }
};

// Sorted in; a step that is there keeps its value.
void AddReport(std::vector<Report>& reports, const Report& report);
// The value reported at exactly this step.
std::optional<double> ValueAt(const Curve& curve, std::int64_t step);
// The least value up to this step; nothing if there is none or one is not a number.
std::optional<double> BestUpTo(const Curve& curve, std::int64_t step);
// The curves of a study, as losses.
std::vector<Curve> CurvesOf(std::span<const Trial> trials, double sign);
// Several objectives: one loss per curve and step, the rank of non-domination among the values that
// the trials reported at the step. `losses[trial][objective]` are curves of the same trials.
std::vector<Curve> RankCurves(std::span<const std::vector<Curve>> objectives);

}  // namespace yard::tune
