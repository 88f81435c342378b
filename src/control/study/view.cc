#include "control/study/view.h"

#include <map>
#include <utility>

namespace yard::control {
namespace {

struct Mean {
  double sum = 0;
  double count = 0;
  double value() const { return sum / count; }
};

const StudyTrial* BestOf(const StudyView& view) {
  std::map<std::int64_t, Mean> means;  // by the first trial of a configuration
  for (const auto& trial : view.trials) {
    if (trial->phase != TrialPhase::kComplete || trial->results.empty()) continue;
    Mean& mean = means[trial->repeat_of.value_or(trial->number)];
    mean.sum += trial->results[0];
    mean.count += 1;
  }
  const double sign = view.study.spec.objectives.front().aim == Aim::kMinimize ? 1 : -1;
  const std::pair<const std::int64_t, Mean>* best = nullptr;
  for (const auto& one : means) {
    if (best == nullptr || sign * one.second.value() < sign * best->second.value()) best = &one;
  }
  return best == nullptr ? nullptr : view.trials[static_cast<std::size_t>(best->first)].get();
}

}  // namespace

wire::StudyCounts CountsOf(const StudyView& view) {
  wire::StudyCounts counts;
  for (const auto& trial : view.trials) {
    counts.running += trial->phase == TrialPhase::kRunning ? 1 : 0;
    counts.complete += trial->phase == TrialPhase::kComplete ? 1 : 0;
    counts.pruned += trial->phase == TrialPhase::kPruned ? 1 : 0;
    counts.failed += trial->phase == TrialPhase::kFailed ? 1 : 0;
    counts.configurations += trial->repeat_of || IsExtra(*trial) ? 0 : 1;
    counts.extra += IsExtra(*trial) ? 1 : 0;
    counts.gpu_time += trial->gpu_time;
  }
  counts.best = BestOf(view);
  return counts;
}

std::vector<StudyTrial> TrialsOf(const StudyView& view) {
  std::vector<StudyTrial> trials;
  trials.reserve(view.trials.size());
  for (const auto& trial : view.trials) trials.push_back(*trial);
  return trials;
}

}  // namespace yard::control
