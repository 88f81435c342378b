#include "control/study/insight.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/study/convert.h"
#include "tune/confidence.h"
#include "tune/importance/ped_anova.h"

namespace yard::control {
namespace {

// Whether `a` is nowhere worse than `b`, and better somewhere.
bool Dominates(const StudySpec& spec, const StudyTrial& a, const StudyTrial& b) {
  bool better = false;
  for (std::size_t i = 0; i < spec.objectives.size(); ++i) {
    const double sign = spec.objectives[i].aim == Aim::kMinimize ? 1 : -1;
    if (sign * a.results[i] > sign * b.results[i]) return false;
    better = better || a.results[i] != b.results[i];
  }
  return better;
}

StudyBest FrontOf(const StudyView& view) {
  StudyBest best;
  std::vector<std::shared_ptr<const StudyTrial>> complete;
  for (const auto& trial : view.trials) {
    if (trial->phase == TrialPhase::kComplete) complete.push_back(trial);
  }
  for (const auto& trial : complete) {
    bool beaten = std::ranges::any_of(
        complete, [&](const auto& other) { return Dominates(view.study.spec, *other, *trial); });
    if (beaten) continue;
    const double value = trial->results.front();
    best.trials.push_back({.trial = trial, .mean = value, .low = value, .high = value, .runs = 1});
  }
  best.message = fmt::format("{} of {} complete trials are beaten by no other in all objectives.",
                             best.trials.size(), complete.size());
  return best;
}

}  // namespace

Result<StudyBest> BestOf(const StudyView& view) {
  if (view.study.spec.objectives.size() > 1) return FrontOf(view);
  YARD_ASSIGN(tune::Study search, RestoreStudy(view.study, TrialsOf(view)));
  StudyBest best{.trials = {}, .message = "No trial is complete yet."};
  std::optional<tune::BestEstimate> estimate = tune::EstimateBest(search);
  if (!estimate) return best;
  best.trials.push_back({.trial = view.trials[static_cast<std::size_t>(estimate->trial.value)],
                         .mean = estimate->mean,
                         .low = estimate->low,
                         .high = estimate->high,
                         .runs = estimate->runs});
  const std::string& metric = view.study.spec.objectives.front().metric;
  best.message = fmt::format("Trial {} has the best {}: {:.6g}", estimate->trial.value, metric,
                             estimate->mean);
  if (estimate->runs > 1) {
    best.message += fmt::format(" (mean of {} runs, {:.6g} to {:.6g} with 95%)", estimate->runs,
                                estimate->low, estimate->high);
  }
  best.message += ".";
  return best;
}

Result<std::vector<std::pair<std::string, double>>> ImportancesOf(const StudyView& view) {
  YARD_ASSIGN(tune::Study search, RestoreStudy(view.study, TrialsOf(view)));
  std::vector<std::pair<std::string, double>> out;
  if (search.history().finished.empty()) return out;
  std::vector<double> shares = tune::PedAnova(search.space(), search.history().finished);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::size_t parameter = search.space().axes()[i].parameter;
    out.emplace_back(view.study.spec.parameters[parameter].name, shares[i]);
  }
  std::ranges::stable_sort(out, std::ranges::greater{}, &std::pair<std::string, double>::second);
  return out;
}

Result<StudyTrial> NextOf(const StudyView& view) {
  YARD_ASSIGN(tune::Study search, RestoreStudy(view.study, TrialsOf(view)));
  return FromTune(search.Ask(), view.study.spec.objectives.size());
}

}  // namespace yard::control
