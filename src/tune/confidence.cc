#include "tune/confidence.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "tune/numerics/normal.h"
#include "tune/samplers/acquisition.h"
#include "tune/samplers/gp.h"

namespace yard::tune {
namespace {

constexpr double kDeviations = 1.959964;  // 95%
constexpr std::size_t kLeastTrials = 20;

struct Runs {
  double count = 0;
  double sum = 0;
  double squares = 0;
};

std::map<TrialNumber, Runs> RunsByFirst(std::span<const Trial> trials) {
  std::map<TrialNumber, Runs> runs;
  for (const Trial& trial : trials) {
    if (trial.state != TrialState::kComplete) continue;
    Runs& r = runs[trial.repeat_of.value_or(trial.number)];
    r.count += 1;
    r.sum += trial.values[0];
    r.squares += trial.values[0] * trial.values[0];
  }
  return runs;
}

}  // namespace

std::optional<double> RunDeviation(std::span<const Trial> trials) {
  double squares = 0;
  double degrees = 0;
  for (const auto& [first, r] : RunsByFirst(trials)) {
    if (r.count < 2) continue;
    squares += std::max(r.squares - r.sum * r.sum / r.count, 0.0);
    degrees += r.count - 1;
  }
  if (degrees == 0) return std::nullopt;
  return std::sqrt(squares / degrees);
}

std::optional<BestEstimate> EstimateBest(const Study& study) {
  std::optional<TrialNumber> best = study.Best();
  if (!best) return std::nullopt;
  const Runs runs = RunsByFirst(study.trials()).at(*best);
  double mean = runs.sum / runs.count;
  double half = kDeviations * RunDeviation(study.trials()).value_or(0) / std::sqrt(runs.count);
  return BestEstimate{*best, mean, mean - half, mean + half, static_cast<std::size_t>(runs.count)};
}

std::vector<double> BestSoFar(const Study& study) {
  double sign = study.options().directions[0] == Direction::kMinimize ? 1 : -1;
  std::map<std::int64_t, const Trial*> order;
  for (const Trial& trial : study.trials()) {
    if (trial.finished) order[*trial.finished] = &trial;
  }
  std::vector<double> best;
  for (const auto& [ending, trial] : order) {
    bool counts = trial->state == TrialState::kComplete && trial->violation == 0;
    if (!counts && best.empty()) continue;
    double value = counts ? trial->values[0] : best.back();
    if (!best.empty() && sign * best.back() < sign * value) value = best.back();
    best.push_back(value);
  }
  return best;
}

StopAdvice ShouldStop(const Study& study) {
  StopAdvice advice;
  const History& history = study.history();
  std::size_t n = history.finished.size();
  if (history.objectives > 1 || n < std::max(kLeastTrials, StartupTrials(study.space()))) {
    return advice;
  }
  GpSurrogate surrogate(study.space());
  const GpModel& model = surrogate.Update(history);
  Rng rng(study.options().seed, n);
  AcquisitionTask task{
      study.space(), model, WholeBox(study.space()), TakenPoints(study.space(), history), {}};
  std::vector<Point> good = BestPoints(history.finished, 5);
  task.candidates = MakeCandidates(study.space(), task.box, good, rng, {});
  std::optional<Point> found = MaximizeImprovement(task);
  if (!found) return {true, 0, 0, "every configuration has been tried"};
  GpModel::Prediction at = model.Predict(*found);
  double deviation = std::sqrt(at.variance);
  advice.expected_gain =
      deviation * std::exp(LogImprovement((model.BestMean() - at.mean) / deviation));
  advice.noise = std::sqrt(std::exp(model.hyper().log_noise));
  advice.stop = advice.expected_gain < advice.noise;
  if (advice.stop) {
    advice.reason = fmt::format(
        "one more trial is expected to gain {:.2g}, less than the noise of a run, {:.2g}",
        advice.expected_gain, advice.noise);
  }
  return advice;
}

}  // namespace yard::tune
