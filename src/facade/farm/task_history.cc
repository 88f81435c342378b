#include "facade/farm/task_history.h"

#include <algorithm>
#include <string>
#include <utility>

#include <boost/json/value.hpp>

#include "facade/farm/task.h"

namespace yard::facade::farm {
namespace {

constexpr std::size_t kMostSteps = 1000;

constexpr std::pair<Phase, std::string_view> kByPhase[] = {
    {Phase::kPending, "submitted"},      {Phase::kResuming, "submitted"},
    {Phase::kInitializing, "starting"},  {Phase::kRunning, "running"},
    {Phase::kStopping, "pausing"},       {Phase::kStopped, "paused"},
    {Phase::kTerminating, "cancelling"}, {Phase::kCompleted, "finished"},
    {Phase::kFailed, "errored"},         {Phase::kDeleting, "archived"}};

std::string_view StatusIn(std::string_view phase) {
  const auto* known =
      std::ranges::find(kByPhase, phase, [](const auto& one) { return Name(one.first); });
  return known == std::end(kByPhase) ? "" : known->second;
}

json::object Step(const Workload& workload, const WorkloadEvent& event, std::string_view status) {
  return {{"task_id", FormatUuid(workload.id.value)},
          {"status", status},
          {"user_id", workload.stamp.created_by},
          {"agent_id", nullptr},
          {"details", event.message},
          {"progress", nullptr},
          {"time", static_cast<double>(event.at.micros) / 1e6}};
}

}  // namespace

Result<json::array> HistoryOf(serve::Call& call, const Workload& workload) {
  YARD_ASSIGN(std::vector<WorkloadEvent> events,
              call.service().ReadEvents(workload.id, 0, kMostSteps));
  const Ptr<Attempt> newest = call.state().NewestAttempt(workload);
  const std::string_view now = StatusOf(workload, newest.get(), NoteOf(workload));
  json::array steps;
  bool last = true;  // the newest comes first: what it is called now may differ from its phase
  for (const WorkloadEvent& event : events) {
    if (event.source != kPhaseSource) continue;
    const std::string_view status = last ? now : StatusIn(event.reason);
    last = false;
    if (!status.empty()) steps.push_back(Step(workload, event, status));
  }
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace yard::facade::farm
