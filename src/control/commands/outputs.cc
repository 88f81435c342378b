#include "control/commands/outputs.h"

#include <fmt/format.h>

namespace yard::control {
namespace {

// Of work that starts again and again, the newest.
constexpr std::size_t kMostSaved = 20;
constexpr std::size_t kShownDigits = 12;

std::string SentenceOf(const SavedOutput& one) {
  const std::string name = fmt::format("{}:{}", one.name, one.tag);
  if (one.version.empty())
    return fmt::format("The outputs of attempt {} were not saved as data set '{}': {}.",
                       one.attempt, name, one.problem);
  std::string text =
      fmt::format("The outputs of attempt {} are data set '{}', version {}: {} files, {} bytes.",
                  one.attempt, name, one.version.substr(0, kShownDigits), one.files, one.bytes);
  return one.problem.empty() ? text : fmt::format("{} Not all of them: {}.", text, one.problem);
}

}  // namespace

Status RecordOutputs(Txn& txn, const OutputsDone& done) {
  const Ptr<Workload> before = txn.state().Find<Workload>(done.workload);
  if (!before || before->deleted_at || before->saved_attempts >= done.attempt) return {};
  Workload workload = *before;
  workload.saved_attempts = done.attempt;
  for (const SavedOutput& one : done.saved) {
    txn.Emit({.id = txn.NewUuid(),
              .workload = workload.id,
              .at = txn.now(),
              .type = one.problem.empty() ? "Normal" : "Warning",
              .reason = one.version.empty() ? "OutputNotSaved" : "OutputSaved",
              .message = SentenceOf(one),
              .source = "gpuyard"});
    workload.saved.push_back(one);
    workload.saved.back().at = txn.now();
  }
  if (workload.saved.size() > kMostSaved)
    workload.saved.erase(workload.saved.begin(), workload.saved.end() - kMostSaved);
  // The time of its last change starts anew, so that it is not archived the moment this is known.
  txn.Touch(workload.stamp);
  txn.Put(std::move(workload));
  return {};
}

}  // namespace yard::control
