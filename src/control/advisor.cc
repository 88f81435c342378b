#include "control/advisor.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "control/attempts.h"
#include "control/reason_words.h"
#include "control/workloads.h"
#include "sched/explain/explain.h"
#include "sched/explain/waiting.h"
#include "sched/explain/what_if.h"

namespace yard::control {
namespace {

// Enough to be useful, few enough to be answered at once.
constexpr std::int64_t kMostSteps = 500;
constexpr std::int64_t kLeastSteps = 60;
constexpr std::int64_t kNodeSteps = 300'000;  // of nodes looked at, about a second

// A large cluster gets fewer and coarser steps.
sched::Horizon HorizonFor(const sched::Snapshot& snapshot) {
  const auto nodes = std::max<std::int64_t>(1, std::ssize(snapshot.nodes));
  const std::int64_t steps = std::clamp(kNodeSteps / nodes, kLeastSteps, kMostSteps);
  return {.span = Days(30),
          .steps = static_cast<std::int32_t>(steps),
          .grain = steps < kMostSteps ? sched::Grain::kCoarse : sched::Grain::kExact};
}

// Whoever asks sooner than this many times the work of an answer gets the same one again.
constexpr std::int64_t kQueueKept = 3;

std::string BasisText(sched::Basis basis) {
  switch (basis) {
    case sched::Basis::kNow:
      return "it starts in the plan for this moment";
    case sched::Basis::kRuntimes:
      return "learned run times and time limits";
    case sched::Basis::kTimeLimits:
      return "time limits of what runs now";
    case sched::Basis::kUnknown:
      return "what runs now has no known end";
  }
  return "";
}

void AddForecast(Why& why, const sched::Forecast& forecast) {
  why.earliest = forecast.earliest;
  why.latest = forecast.latest;
  why.basis = BasisText(forecast.basis);
}

std::string GapSentence(const sched::FitGap& gap) {
  if (gap.cause == sched::Cause::kNone) return "fits here now";
  return fmt::format("{}: has {}, needs {}", sched::CauseName(gap.cause), gap.has, gap.needs);
}

// Work that the scheduler does not consider says for itself why.
Why OwnWords(const Workload& workload) {
  return {.reason = workload.phase_reason, .message = workload.phase_message};
}

void AddReasons(Why& why, const sched::Explanation& explained, const sched::Snapshot& snapshot) {
  why.reason = ReasonWord(explained.dominant.cause);
  why.message = sched::Sentence(explained.dominant, snapshot);
  for (const sched::Reason& reason : explained.reasons) {
    if (reason != explained.dominant) why.further.push_back(sched::Sentence(reason, snapshot));
  }
  for (const sched::NodeRow& row : explained.nodes) {
    const sched::Node& node = snapshot.nodes[static_cast<std::size_t>(row.node.value)];
    why.nodes.push_back({node.name, GapSentence(row.gap)});
  }
  for (sched::WorkloadIndex other : explained.ahead) {
    why.ahead.push_back(snapshot.workloads[static_cast<std::size_t>(other.value)].name);
  }
  if (explained.position > 0) why.position = explained.position;
}

}  // namespace

Result<SchedView*> Advisor::Newest() {
  Snapshot state = service_.Read();
  if (view_ && state == state_) return &*view_;
  view_.emplace(cluster_, policy_);
  state_ = std::move(state);
  Status built = view_->Rebuild(*state_, service_.Now());
  if (built) return &*view_;
  view_.reset();
  return Fail(built.error());
}

Result<Why> Advisor::ExplainIn(SchedView& view, sched::WorkloadIndex index) {
  sched::Core& core = view.scheduler().core();
  view.scheduler().SetNow(service_.Now());
  sched::Explanation explained = sched::Explain(core, index);
  Why why;
  if (explained.verdict == sched::Verdict::kStarts) {
    why.reason = "StartsNow";
    why.message = "It starts in the next moment.";
    AddForecast(why, {core.snapshot().now, core.snapshot().now, sched::Basis::kNow});
    return why;
  }
  AddReasons(why, explained, core.snapshot());
  for (const sched::Change& change : sched::WhatWouldHelp(core, index)) {
    why.alternatives.push_back({sched::Describe(change, core.snapshot()), "starts now"});
  }
  AddForecast(why,
              sched::ForecastStart(core.snapshot(), policy_, index, HorizonFor(core.snapshot())));
  return why;
}

Result<Why> Advisor::Explain(WorkloadId id) {
  std::lock_guard lock(mutex_);
  YARD_ASSIGN(SchedView * view, Newest());
  YARD_ASSIGN(Ptr<Workload> workload, FindWorkload(*state_, id));
  if (auto gate = view->gated().find(id); gate != view->gated().end()) {
    return Why{.reason = gate->second.reason, .message = gate->second.message};
  }
  std::optional<sched::WorkloadIndex> index = view->Find(id);
  if (!Waits(*state_, *workload) || !index) return OwnWords(*workload);
  return ExplainIn(*view, *index);
}

Result<Why> Advisor::DryRun(const Workload& draft) {
  // On a picture of its own, which the draft may change.
  SchedView view(cluster_, policy_);
  Snapshot state = service_.Read();
  YARD_TRY(view.Rebuild(*state, service_.Now()));
  Workload workload = draft;
  workload.stamp.created_at = service_.Now();
  Result<sched::WorkloadIndex> index = view.AddDraft(workload);
  if (!index && view.NeedsWords()) {
    YARD_TRY(view.Rebuild(*state, service_.Now()));
    index = view.AddDraft(workload);
  }
  if (!index) return Fail(index.error());
  return ExplainIn(view, *index);
}

Result<std::vector<QueueLine>> Advisor::Queue() {
  std::lock_guard lock(mutex_);
  const Time asked = service_.Now();
  if (queue_ && asked < queue_good_until_) return *queue_;
  YARD_ASSIGN(queue_, MakeQueue());
  const Time made = service_.Now();
  queue_good_until_ = made + Micros((made - asked).value * kQueueKept);
  return *queue_;
}

Result<std::vector<QueueLine>> Advisor::MakeQueue() {
  YARD_ASSIGN(SchedView * view, Newest());
  sched::Core& core = view->scheduler().core();
  view->scheduler().SetNow(service_.Now());
  std::vector<sched::Forecast> forecasts =
      sched::ForecastAll(core.snapshot(), policy_, HorizonFor(core.snapshot()));
  std::unordered_map<std::int32_t, sched::Reason> reasons;
  for (const sched::WaitReason& waits : sched::ReasonsOfWaiting(core)) {
    reasons.emplace(waits.workload.value, waits.reason);
  }
  std::vector<QueueLine> lines;
  for (sched::WorkloadIndex index : sched::OrderOfWaiting(core)) {
    const sched::Forecast& forecast = forecasts[static_cast<std::size_t>(index.value)];
    auto reason = reasons.find(index.value);
    lines.push_back(
        {.workload = view->IdOf(index),
         .position = static_cast<std::int64_t>(lines.size()) + 1,
         .reason = reason == reasons.end() ? "StartsNow" : ReasonWord(reason->second.cause),
         .earliest = forecast.earliest,
         .latest = forecast.latest});
  }
  for (const auto& [id, gate] : view->gated()) {
    lines.push_back({.workload = id, .reason = gate.reason});
  }
  return lines;
}

}  // namespace yard::control
