#include "control/sched/advisor.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "control/commands/workloads.h"
#include "control/dispatch/attempts.h"
#include "control/dispatch/parking.h"
#include "control/dispatch/reason_words.h"
#include "model/workload_priority.h"
#include "sched/explain/explain.h"
#include "sched/explain/waiting.h"
#include "sched/explain/what_if.h"
#include "sched/order/queue_page.h"

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

// What the ends of running work are expected by.
struct Grounds {
  std::map<std::string, std::int64_t> runs;  // earlier ones, by the kind of work
  bool limits = false;
};

std::string LearnedText(const Grounds& grounds) {
  std::int64_t runs = 0;
  for (const auto& [kind, count] : grounds.runs) runs += count;
  return fmt::format("run times learned from {} earlier runs{}", runs,
                     grounds.limits ? ", and time limits" : "");
}

// What one node lacks, in the units people ask in.
std::string GapSentence(const sched::FitGap& gap) {
  using sched::Cause;
  using sched::Resource;
  auto amounts = [&gap](Resource unit, std::string_view between) {
    return fmt::format("has {} {}{}", sched::Amount(unit, gap.has), between,
                       sched::Amount(unit, gap.needs));
  };
  switch (gap.cause) {
    case Cause::kNone:
      return "fits here now";
    case Cause::kNoNodes:
      return "is not in service";
    case Cause::kModel:
      return "has another GPU model";
    case Cause::kLabels:
      return "lacks the requested labels";
    case Cause::kTaints:
      return "has a taint it does not tolerate";
    case Cause::kNodeTooSmall:
      return "is too small, even when empty";
    case Cause::kFragmented:
      return amounts(Resource::kGpu, "free in sum, but not together for ");
    case Cause::kCpu:
      return amounts(Resource::kCpu, "free, needs ");
    case Cause::kMemory:
      return amounts(Resource::kMemory, "of memory free, needs ");
    case Cause::kExtended:
      return amounts(Resource::kCount, "free of what it asks for, needs ");
    default:
      return amounts(Resource::kGpu, "free, needs ");
  }
}

// The class people would name for a priority that the scheduler tried.
std::string ClassNameOf(std::int64_t priority) {
  for (const PriorityClass& one : PriorityClasses()) {
    if (one.value == priority) return std::string(one.name);
  }
  return std::to_string(priority);
}

// What a program needs to make the change: its kind and the new value.
std::pair<std::string, std::string> KindAndValue(const sched::Change& change,
                                                 const sched::Snapshot& snapshot) {
  using Kind = sched::Change::Kind;
  switch (change.kind) {
    case Kind::kFewerGpus:
      return {"fewerGpus", FormatMilli(change.amount)};
    case Kind::kFewerTasks:
      return {"fewerTasks", std::to_string(change.amount)};
    case Kind::kOtherPool:
      return {"otherPool", snapshot.pools[static_cast<std::size_t>(change.pool.value)].name};
    case Kind::kPreemptible:
      return {"preemptible", ""};
    case Kind::kMoreQuota:
      return {"moreQuota", FormatMilli(change.amount)};
    case Kind::kHigherLimit:
      return {"higherLimit", FormatMilli(change.amount)};
    case Kind::kLessCpu:
      return {"lessCpu", FormatMilli(change.amount)};
    case Kind::kLessMemory:
      return {"lessMemory", fmt::format("{}Mi", change.amount)};
    case Kind::kAnyModel:
      return {"anyModel", ""};
    case Kind::kAnyLabels:
      return {"anyLabels", ""};
    case Kind::kTolerate:
      return {"tolerate", ""};
    case Kind::kNoTopology:
      return {"noTopology", ""};
    case Kind::kShorterLimit:
      return {"shorterLimit", fmt::format("{}m", change.amount / Minutes(1).value)};
    case Kind::kHigherPriority:
      return {"higherPriority", ClassNameOf(change.amount)};
    case Kind::kAsTraining:
      return {"asTraining", ""};
  }
  return {};
}

void AddAlternatives(Why& why, const std::vector<sched::Change>& changes,
                     const sched::Snapshot& snapshot, std::string_view outcome) {
  for (const sched::Change& change : changes) {
    auto [kind, value] = KindAndValue(change, snapshot);
    std::string words = sched::Describe(change, snapshot);
    if (change.kind == sched::Change::Kind::kHigherPriority) words = "with priority " + value;
    why.alternatives.push_back({words, std::string(outcome), kind, value});
  }
}

// An answer if it could not run even if nothing else did.
std::optional<Why> NeverOf(const sched::Core& core, const sched::Policy& policy,
                           sched::WorkloadIndex index) {
  sched::Possibility possible = sched::CheckEver(core.snapshot(), policy, core.At(index));
  // Machines come and go; what they are when they are there is what counts.
  if (possible.ever || possible.reason.cause == sched::Cause::kNoNodes) return std::nullopt;
  Why why{.reason = ReasonWord(possible.reason.cause),
          .message = sched::Sentence(possible.reason, core.snapshot()),
          .never = true};
  AddAlternatives(why, possible.changes, core.snapshot(), "could run");
  return why;
}

// Work that the scheduler does not consider says for itself why.
Why OwnWords(const Workload& workload) {
  return {.reason = workload.phase_reason, .message = workload.phase_message};
}

void AddOwner(Why& why, const sched::Reason& reason, const SchedTables& tables,
              const sched::Snapshot& snapshot) {
  if (reason.cause != sched::Cause::kReserved) return;
  for (const auto& [project, queue] : tables.projects) {
    if (queue == reason.queue) why.reserved_for = project;
  }
  why.reserved_message = sched::Sentence(reason, snapshot);
}

void AddReasons(Why& why, const sched::Explanation& explained, const sched::Snapshot& snapshot) {
  why.reason = ReasonWord(explained.dominant.cause);
  why.message = PublicSentence(explained.dominant, snapshot);
  for (const sched::Reason& reason : explained.reasons) {
    if (reason != explained.dominant) why.further.push_back(PublicSentence(reason, snapshot));
  }
  for (const sched::NodeRow& row : explained.nodes) {
    const sched::Node& node = snapshot.nodes[static_cast<std::size_t>(row.node.value)];
    why.nodes.push_back({node.name, GapSentence(row.gap)});
  }
  if (explained.position > 0) why.position = explained.position;
}

std::string_view PolicyWord(sched::Fairness fairness) {
  switch (fairness) {
    case sched::Fairness::kFairShare:
      return "FairShare";
    case sched::Fairness::kNthGpu:
      return "NthGpu";
    case sched::Fairness::kDecayedShare:
      return "DecayedShare";
    case sched::Fairness::kFifo:
      return "Fifo";
  }
  return "";
}

QueueTerms TermsOf(const sched::OrderTerms& order, const sched::Snapshot& snapshot) {
  QueueTerms terms{.policy = PolicyWord(order.fairness),
                   .pool = snapshot.pools[static_cast<std::size_t>(order.pool.value)].name,
                   .wants = order.wants,
                   .nth_gpu = order.nth_gpu};
  for (const sched::QueueTerms& unit : order.queues) {
    const auto level = snapshot.queues[static_cast<std::size_t>(unit.queue.value)].level;
    if (level == sched::QueueLevel::kTenant) continue;
    (level == sched::QueueLevel::kDepartment ? terms.department : terms.project) = {
        unit.held, unit.ahead, unit.share, unit.quota, unit.priority};
  }
  return terms;
}

}  // namespace

Result<SchedView*> Advisor::Newest() {
  Snapshot state = service_.Read();
  if (view_ && state == state_) return &*view_;
  view_.emplace(cluster_, usual_, run_times_, promises_);
  state_ = std::move(state);
  Status built = view_->Rebuild(*state_, service_.Now());
  if (built) return &*view_;
  view_.reset();
  return Fail(built.error());
}

std::string Advisor::BasisText(SchedView& view, const State& state, sched::Basis basis) const {
  switch (basis) {
    case sched::Basis::kNow:
      return "it starts in the plan for this moment";
    case sched::Basis::kTimeLimits:
      return "time limits of what runs now";
    case sched::Basis::kTurns:
      return "reservations, and guards of what runs now";
    case sched::Basis::kUnknown:
      return "what runs now has no known end";
    case sched::Basis::kRuntimes:
      break;
  }
  Grounds grounds;
  const std::vector<sched::Workload>& rows = view.scheduler().snapshot().workloads;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].state != sched::WorkloadState::kRunning) continue;
    grounds.limits = grounds.limits || rows[row].time_limit.value > 0;
    const sched::WorkloadIndex index(static_cast<std::int32_t>(row));
    Ptr<Workload> workload = state.Find<Workload>(view.IdOf(index));
    std::optional<RunTimes::Estimate> learned;
    if (workload) learned = run_times_.Of(*workload);
    if (learned) grounds.runs[learned->kind] = learned->runs;
  }
  return LearnedText(grounds);
}

Result<Why> Advisor::ExplainIn(SchedView& view, const State& state, sched::WorkloadIndex index) {
  sched::Core& core = view.scheduler().core();
  view.scheduler().SetNow(service_.Now());
  sched::Explanation explained = sched::Explain(core, index);
  Why why;
  if (explained.verdict == sched::Verdict::kStarts) {
    why.reason = "StartsNow";
    why.message = "It starts in the next moment.";
    why.earliest = why.latest = core.snapshot().now;
    why.basis = BasisText(view, state, sched::Basis::kNow);
    return why;
  }
  if (explained.verdict == sched::Verdict::kPromised) {
    AddReasons(why, explained, core.snapshot());
    why.earliest = core.snapshot().now;
    why.basis = "the work on its place was told to stop";
    return why;
  }
  if (std::optional<Why> never = NeverOf(core, view.scheduler().policy(), index))
    return *std::move(never);
  AddReasons(why, explained, core.snapshot());
  AddOwner(why, explained.dominant, view.tables(), core.snapshot());
  for (sched::WorkloadIndex other : explained.ahead) why.ahead.push_back(view.IdOf(other));
  AddAlternatives(why, sched::WhatWouldHelp(core, index), core.snapshot(), "starts now");
  const sched::Forecast forecast = sched::ForecastStart(core.snapshot(), view.scheduler().policy(),
                                                        index, HorizonFor(core.snapshot()));
  why.earliest = forecast.earliest;
  why.latest = forecast.latest;
  why.basis = BasisText(view, state, forecast.basis);
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
  return ExplainIn(*view, *state_, *index);
}

Result<Why> Advisor::DryRun(const Workload& draft, DryRunDepth depth) {
  // On a picture of its own, which the draft may change.
  SchedView view(cluster_, usual_, run_times_, promises_);
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
  if (depth == DryRunDepth::kWhole) return ExplainIn(view, *state, *index);
  std::optional<Why> never = NeverOf(view.scheduler().core(), view.scheduler().policy(), *index);
  return never.value_or(Why{.reason = "Possible", .message = "It can run here."});
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
      sched::ForecastAll(core.snapshot(), view->scheduler().policy(), HorizonFor(core.snapshot()));
  std::unordered_map<std::int32_t, sched::Reason> reasons;
  for (const sched::WaitReason& waits : sched::ReasonsOfWaiting(core)) {
    reasons.emplace(waits.workload.value, waits.reason);
  }
  std::vector<QueueLine> lines;
  for (const sched::Waiter& waiter : sched::OrderOfWaiting(core)) {
    const sched::WorkloadIndex index = waiter.workload;
    const sched::Forecast& forecast = forecasts[static_cast<std::size_t>(index.value)];
    auto reason = reasons.find(index.value);
    lines.push_back(
        {.workload = view->IdOf(index),
         .position = static_cast<std::int64_t>(lines.size()) + 1,
         .reason = reason == reasons.end() ? "StartsNow" : ReasonWord(reason->second.cause),
         .earliest = forecast.earliest,
         .latest = forecast.latest,
         .terms = TermsOf(waiter.terms, core.snapshot())});
  }
  for (const auto& [id, gate] : view->gated()) {
    lines.push_back({.workload = id, .reason = gate.reason});
  }
  state_->EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    Ptr<Workload> workload = state_->Find<Workload>(attempt->workload);
    if (!workload || !WaitsForItsGpus(*state_, *workload)) return;
    lines.push_back({.workload = workload->id, .reason = std::string(kWaitsForItsGpus)});
  });
  return lines;
}

Result<std::vector<NthGpuLine>> Advisor::NthGpuOrder() {
  std::lock_guard lock(mutex_);
  YARD_ASSIGN(SchedView * view, Newest());
  std::vector<NthGpuLine> lines;
  for (const sched::QueuePageRow& row : sched::QueuePage(view->scheduler().core().snapshot())) {
    Ptr<Workload> workload = state_->Find<Workload>(view->IdOf(row.workload));
    Ptr<Attempt> open = workload ? state_->OpenAttempt(*workload) : nullptr;
    if (open && !HoldsGpus(*open)) continue;  // it does not run
    lines.push_back({view->IdOf(row.workload), row.user_ordinal, row.global_ordinal});
  }
  return lines;
}

}  // namespace yard::control
