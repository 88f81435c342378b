#include "control/sched/advisor.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "control/commands/workloads.h"
#include "control/dispatch/attempts.h"
#include "control/dispatch/parking.h"
#include "control/dispatch/reason_words.h"
#include "control/sched/advice_words.h"
#include "control/sched/wait_notes.h"
#include "model/workload_priority.h"
#include "sched/explain/explain.h"
#include "sched/explain/holders.h"
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

std::string JoinedFaults(const Node& node) {
  std::string faults;
  for (std::size_t gpu = 0; gpu < node.gpus.size(); ++gpu) {
    if (node.gpus[gpu].fault.empty()) continue;
    faults += fmt::format("{}GPU {} is out of service: {}", faults.empty() ? "" : "; ", gpu,
                          node.gpus[gpu].fault);
  }
  return faults;
}

// People who wait learn why a machine or a GPU takes no work, and who said so.
void AddDrains(Why& why, const State& state) {
  std::map<std::string, std::string, std::less<>> drains;
  std::map<std::string, std::string, std::less<>> faults;
  state.Of<Node>().Each([&](const Node& node) {
    if (node.drain) {
      drains[node.name] = fmt::format("is drained by {} since {}: {}", node.drain->by,
                                      FormatRfc3339(node.drain->since), node.drain->reason);
      if (node.drain->until)
        drains[node.name] += fmt::format("; until {}", FormatRfc3339(*node.drain->until));
    }
    if (std::string sick = JoinedFaults(node); !sick.empty()) faults[node.name] = std::move(sick);
  });
  for (NodeLack& lack : why.nodes) {
    if (auto found = drains.find(lack.node); found != drains.end()) lack.missing = found->second;
    if (auto found = faults.find(lack.node); found != faults.end()) {
      lack.missing += "; " + found->second;
    }
  }
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

void AddNote(Why& why, WaitNote note) {
  why.reason = std::move(note.reason);
  why.message = std::move(note.message);
  why.never = note.never;
  for (std::size_t i = 1; i < note.causes.size(); ++i)
    why.further.push_back(note.causes[i].message);
  why.causes = std::move(note.causes);
}

// A class that forbids preemption is the cause of what follows from it.
void AddClass(Why& why, const Workload& workload) {
  const bool over_quota = std::ranges::any_of(
      why.causes, [](const WaitCause& cause) { return cause.reason == "NonPreemptibleOverQuota"; });
  if (!over_quota || workload.priority_class.empty()) return;
  if (PreemptibleByDefault(workload.priority)) return;
  why.further.push_back(
      fmt::format("Its priority class {} makes it non-preemptible unless it asks "
                  "for the contrary.",
                  workload.priority_class));
}

// Where GPUs are given by person, how many its owner would have.
void AddTurn(Why& why, sched::Core& core, sched::WorkloadIndex index) {
  if (core.policy().fairness != sched::Fairness::kNthGpu) return;
  for (const sched::Waiter& waiter : sched::OrderOfWaiting(core)) {
    if (waiter.workload != index || !waiter.terms.nth_gpu) continue;
    why.further.push_back(fmt::format(
        "GPUs are given in the order nth-gpu: with it, its owner would hold {} GPU, and work of "
        "people with fewer comes first.",
        FormatMilli(waiter.terms.nth_gpu->value)));
    return;
  }
}

void AddNodes(Why& why, const sched::Explanation& explained, const sched::Snapshot& snapshot) {
  for (const sched::NodeRow& row : explained.nodes) {
    const sched::Node& node = snapshot.nodes[static_cast<std::size_t>(row.node.value)];
    why.nodes.push_back({node.name, GapSentence(row.gap)});
  }
  if (explained.position > 0) why.position = explained.position;
}

// Each once, in the order of the tasks.
std::vector<std::string> NodeNames(const std::vector<sched::NodeIndex>& places,
                                   const sched::Snapshot& snapshot) {
  std::vector<std::string> names;
  for (sched::NodeIndex place : places) {
    const std::string& name = snapshot.nodes[static_cast<std::size_t>(place.value)].name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

// Who holds what the reason that binds now lacks.
void AddHolders(Why& why, const sched::Explanation& explained, sched::WorkloadIndex index,
                SchedView& view) {
  const sched::Core& core = view.scheduler().core();
  const sched::Reason& reason = explained.dominant;
  const bool tasks =
      reason.resource == sched::Resource::kCount && reason.cause >= sched::Cause::kGpus;
  const sched::Resource unit = tasks ? sched::Resource::kGpu : reason.resource;
  for (const sched::Holder& holder : sched::HoldersOf(core, index, reason)) {
    why.holders.push_back({view.IdOf(holder.workload), sched::Amount(unit, holder.amount)});
    const sched::Workload& row = core.At(holder.workload);
    const bool known =
        row.time_limit.value > 0 || row.expected_runtime.value > 0 || row.longest_runtime.value > 0;
    if (!known) why.endless.push_back(why.holders.back().workload);
  }
}

std::string NoForecastText(const Why& why, sched::Outlook outlook) {
  if (outlook == sched::Outlook::kNever) return "it never starts as it is";
  if (outlook == sched::Outlook::kOutOfService) {
    return "nobody knows when the machines return to service";
  }
  if (!why.endless.empty()) {
    return fmt::format(
        "{} of the running workloads that hold what it needs have neither a time "
        "limit nor earlier runs to learn from",
        why.endless.size());
  }
  return "nothing that is known to end within 30 days makes room for it";
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
      return "";
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
    std::optional<RunTimes::Range> learned;
    if (workload) learned = run_times_.RangeOf(*workload);
    if (learned) grounds.runs[learned->kind] = learned->runs;
  }
  return LearnedText(grounds);
}

Result<Why> Advisor::ExplainIn(SchedView& view, const State& state, sched::WorkloadIndex index,
                               const Workload& workload) {
  sched::Core& core = view.scheduler().core();
  view.scheduler().SetNow(service_.Now());
  sched::Explanation explained = sched::Explain(core, index);
  Why why;
  if (explained.verdict == sched::Verdict::kStarts) {
    why.reason = "StartsNow";
    why.message = "It starts in the next moment.";
    why.starts_on = NodeNames(explained.places, core.snapshot());
    why.earliest = why.latest = core.snapshot().now;
    why.basis = BasisText(view, state, sched::Basis::kNow);
    return why;
  }
  if (explained.verdict == sched::Verdict::kPromised) {
    AddNote(why, NoteOf({explained.dominant}, explained.outlook, core.snapshot()));
    why.earliest = core.snapshot().now;
    why.basis = "the work on its place was told to stop";
    return why;
  }
  AddNote(why, NoteOf(explained.reasons, explained.outlook, core.snapshot()));
  AddClass(why, workload);
  AddTurn(why, core, index);
  AddNodes(why, explained, core.snapshot());
  AddDrains(why, state);
  AddOwner(why, explained.reasons.front(), view.tables(), core.snapshot());
  AddHolders(why, explained, index, view);
  for (sched::WorkloadIndex other : explained.ahead) why.ahead.push_back(view.IdOf(other));
  AddOutlook(why, view, state, {index, explained.outlook, workload.name});
  return why;
}

// What would help, and when it starts if nothing is done.
void Advisor::AddOutlook(Why& why, SchedView& view, const State& state, const Asked& asked) {
  sched::Core& core = view.scheduler().core();
  const sched::Policy& policy = view.scheduler().policy();
  if (asked.outlook == sched::Outlook::kNever) {
    why.alternatives =
        AlternativesOf(sched::CheckEver(core.snapshot(), policy, core.At(asked.index)).advice, view,
                       asked.name, "could run");
    why.no_forecast = NoForecastText(why, asked.outlook);
    return;
  }
  why.alternatives =
      AlternativesOf(sched::WhatWouldHelp(core, asked.index), view, asked.name, "starts now");
  const sched::Forecast forecast =
      sched::ForecastStart(core.snapshot(), policy, asked.index, HorizonFor(core.snapshot()));
  why.earliest = forecast.earliest;
  why.latest = forecast.latest;
  why.basis = BasisText(view, state, forecast.basis);
  if (!why.earliest && !why.latest) why.no_forecast = NoForecastText(why, asked.outlook);
}

Result<Why> Advisor::Explain(WorkloadId id) {
  std::lock_guard lock(mutex_);
  YARD_ASSIGN(SchedView * view, Newest());
  YARD_ASSIGN(Ptr<Workload> workload, FindWorkload(*state_, id));
  if (auto gate = view->gated().find(id); gate != view->gated().end()) {
    Why why;
    AddNote(why, NoteOf(gate->second));
    why.no_forecast = "it waits for something else than a place";
    return why;
  }
  std::optional<sched::WorkloadIndex> index = view->Find(id);
  if (!Waits(*state_, *workload) || !index) return OwnWords(*workload);
  return ExplainIn(*view, *state_, *index, *workload);
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
  workload.name.clear();  // there is nothing yet that an order could be given to
  if (depth == DryRunDepth::kWhole) return ExplainIn(view, *state, *index, workload);
  const sched::Core& core = view.scheduler().core();
  const sched::Possibility possible =
      sched::CheckEver(core.snapshot(), view.scheduler().policy(), core.At(*index));
  if (possible.ever) return Why{.reason = "Possible", .message = "It can run here."};
  Why why;
  AddNote(why, NoteOf(possible.reasons, sched::Outlook::kNever, core.snapshot()));
  why.alternatives = AlternativesOf(possible.advice, view, "", "could run");
  return why;
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
  std::unordered_map<std::int32_t, std::string> reasons;
  for (const sched::WaitingLine& line : sched::ReasonsOfWaiting(core)) {
    const std::string word = ReasonWord(line.binding.reasons.front().cause);
    for (sched::WorkloadIndex waits : line.workloads) reasons.emplace(waits.value, word);
  }
  std::vector<QueueLine> lines;
  for (const sched::Waiter& waiter : sched::OrderOfWaiting(core)) {
    const sched::WorkloadIndex index = waiter.workload;
    const sched::Forecast& forecast = forecasts[static_cast<std::size_t>(index.value)];
    auto reason = reasons.find(index.value);
    lines.push_back({.workload = view->IdOf(index),
                     .position = static_cast<std::int64_t>(lines.size()) + 1,
                     .reason = reason == reasons.end() ? "StartsNow" : reason->second,
                     .earliest = forecast.earliest,
                     .latest = forecast.latest,
                     .terms = TermsOf(waiter.terms, core.snapshot())});
  }
  for (const auto& [id, gate] : view->gated()) {
    lines.push_back({.workload = id, .reason = gate.reason});
  }
  state_->EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    Ptr<Workload> workload = state_->Find<Workload>(attempt->workload);
    if (!workload || workload->host() != cluster_) return;
    if (!WaitsForItsGpus(*state_, *workload)) return;
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
