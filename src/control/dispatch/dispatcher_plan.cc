// How the dispatcher makes up its mind: from what it knows to one cycle's worth of changes.
#include <algorithm>

#include <fmt/format.h>

#include "base/log.h"
#include "control/dispatch/dispatcher.h"
#include "engine/warning.h"
#include "model/spec/spec.h"

namespace yard::control {
namespace {

bool IsForOthers(sched::Rule rule) {
  return rule == sched::Rule::kReclaim || rule == sched::Rule::kPreempt ||
         rule == sched::Rule::kReservation || rule == sched::Rule::kFirstGpu;
}

}  // namespace

void Dispatcher::SyncView(const State& state, const Inbox& inbox, Time now) {
  if (inbox.org_changed || (view_.usage_due() && *view_.usage_due() <= now)) view_.MarkStale();
  view_.SetNow(now);
  std::vector<WorkloadId> ids = inbox.workloads;
  while (!begins_.empty() && begins_.begin()->first <= now) {
    ids.push_back(begins_.begin()->second);
    begins_.erase(begins_.begin());
  }
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  std::erase_if(ids, [&](WorkloadId id) { return !view_.Concerns(state, id); });
  for (WorkloadId id : ids) {
    view_.Sync(state, id);
    ArmDeadline(state, id);
  }
  bool rebuild = view_.stale();
  if (rebuild) {
    ReadDrains(state);
    shares_ = false;
    state.Of<Project>().Each([&](const Project& one) { shares_ |= !one.more_clusters.empty(); });
    if (Status built = view_.Rebuild(state, now); !built) {
      log::Error("the scheduler cannot be told the state", {{"error", built.error().message}});
    }
  }
  for (WorkloadId id : view_.TakeNewlyGated()) newly_gated_.insert(id);
  remark_ = remark_ || !newly_gated_.empty();
  bool turned = turn_ && *turn_ <= now;
  decide_ = decide_ || rebuild || turned || !ids.empty();
  turn_ = view_.stale() ? std::nullopt : view_.NextTurn(now);
}

void Dispatcher::ArmDeadline(const State& state, WorkloadId id) {
  if (auto at = deadline_of_.find(id); at != deadline_of_.end()) {
    deadlines_.erase({at->second, id});
    deadline_of_.erase(at);
  }
  Ptr<Workload> workload = state.Find<Workload>(id);
  if (!workload || workload->host() != cluster_) return;
  Ptr<Attempt> attempt = state.OpenAttempt(*workload);
  bool waits = !attempt && Waits(state, *workload);
  const LimitSpec& limits = *workload->spec->limits;
  // Once its time has come it waits for a place like all others.
  bool later = limits.begin_at && view_.now() < *limits.begin_at;
  if (waits && later) begins_.emplace(*limits.begin_at, id);
  if (!workload->rules.stop_at && !workload->rules.time_limit) return;
  std::optional<Time> deadline;
  if (attempt && !attempt->stop) deadline = DeadlineOf(workload->rules, *attempt);
  if (waits) deadline = workload->rules.stop_at;
  if (!deadline) return;
  if (attempt && limits.warning) ArmWarning(*limits.warning, *attempt, *deadline);
  deadlines_.emplace(*deadline, id);
  deadline_of_.emplace(id, *deadline);
}

// What must end soon is told so, once for each deadline.
void Dispatcher::ArmWarning(const WarningSpec& warning, const Attempt& attempt, Time deadline) {
  auto at = open_.find(attempt.id);
  if (!attempt.started_at || at == open_.end()) return;
  Open& open = at->second;
  if (open.warned_of == deadline) return;
  open.warned_of = deadline;
  const engine::StopOptions how{.signal = static_cast<int>(warning.signal),
                                .grace = engine::kNeverKill};
  std::erase_if(warnings_, [&](const auto& entry) { return entry.second.attempt == attempt.id; });
  warnings_.emplace(deadline - warning.before, StopTasks{attempt.id, RanksOf(attempt), how});
}

void Dispatcher::SendWarnings(Time now) {
  while (!warnings_.empty() && warnings_.begin()->first <= now) {
    StopTasks order = std::move(warnings_.extract(warnings_.begin()).mapped());
    auto at = open_.find(order.attempt);
    if (at == open_.end() || at->second.attempt->stop) continue;
    if (!HoldsGpus(*at->second.attempt)) continue;  // its deadline stands still meanwhile
    std::erase_if(order.ranks, [&](std::int32_t rank) {
      return at->second.tasks[static_cast<std::size_t>(rank)].end.has_value();
    });
    if (!order.ranks.empty()) Ask(std::move(order));
  }
}

void Dispatcher::AddProgress(const State& state, Cycle& cycle) {
  for (AttemptId id : touched_) {
    auto at = open_.find(id);
    if (at == open_.end()) continue;
    Open& open = at->second;
    Progress progress = Judge(*open.attempt, open.tasks, open.rule);
    if (progress.stop_rest && !std::exchange(open.rest_stopped, true))
      StopAll(state, *open.attempt);
    bool starts = progress.started_at && !open.attempt->started_at;
    if (progress.end) {
      // The same transaction may give its place to another.
      view_.Release(open.attempt->workload);
      progress.used = CountedBy(open.tasks);
      decide_ = true;
    }
    const bool queues = progress.queued && !open.attempt->queued;
    if (starts || queues || progress.end) cycle.progress.emplace_back(id, std::move(progress));
  }
}

void Dispatcher::AddDeadlines(const State& state, Time now, Cycle& cycle) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    WorkloadId id = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    deadline_of_.erase(id);
    Ptr<Workload> workload = state.Find<Workload>(id);
    if (!workload) continue;
    if (Ptr<Attempt> attempt = state.OpenAttempt(*workload)) {
      bool by_clock = workload->rules.stop_at && *workload->rules.stop_at <= now;
      cycle.stops.push_back(
          {id, attempt->id, {EndCause::kTimeLimit, "", by_clock ? "stop-at" : "time-limit", now}});
    } else {
      cycle.failures.push_back(
          {id, "StopTimePassed", "The time it was to stop at passed before it could start."});
    }
  }
}

// Whoever came back only to be preempted at once would lose its memory: it stays away instead, and
// those who would have taken its place have it.
sched::Plan Dispatcher::DecideWithReturns(const State& state, Cycle& cycle) {
  while (true) {
    sched::Plan plan = view_.scheduler().Decide();
    if (!plan.lapsed.empty()) {
      std::vector<WorkloadId> ids;  // rows change while promises are dropped
      ids.reserve(plan.lapsed.size());
      for (sched::WorkloadIndex lapsed : plan.lapsed) ids.push_back(view_.IdOf(lapsed));
      for (WorkloadId id : ids) DropPromise(state, id);
      if (view_.stale()) return plan;
      continue;
    }
    std::size_t withdrawn = 0;
    for (const sched::Eviction& eviction : plan.evictions) {
      WorkloadId id = view_.IdOf(eviction.victim);
      if (!IsForOthers(eviction.rule) || std::erase(cycle.returns, id) == 0) continue;
      Ptr<Workload> workload = state.Find<Workload>(id);
      view_.Withdraw(*workload, *state.OpenAttempt(*workload));
      ++withdrawn;
    }
    if (withdrawn == 0) return plan;
  }
}

// Work that starts again and whose end the cycle records: it starts after that commit.
std::set<WorkloadId> Dispatcher::RestartingIn(const Cycle& cycle) const {
  std::set<WorkloadId> ids;
  for (const auto& [attempt, progress] : cycle.progress) {
    auto open = open_.find(attempt);
    if (!progress.end || open == open_.end()) continue;
    const WorkloadId id = open->second.attempt->workload;
    if (promises_.LeavesFor(attempt) == id) ids.insert(id);
  }
  return ids;
}

void Dispatcher::AddPlan(const State& state, Time now, Cycle& cycle) {
  if (view_.stale() || !std::exchange(decide_, false)) return;
  view_.scheduler().SetNow(now);
  const sched::Plan plan = DecideWithReturns(state, cycle);
  if (view_.stale()) return;
  KeepHeads(plan);
  const Planned planned{plan, sched::RestartsIn(plan, view_.scheduler().snapshot())};
  const auto add = [&](std::optional<PromiseOrder> promise) {
    if (promise) cycle.promises.push_back(*std::move(promise));
  };
  const std::set<WorkloadId> later = RestartingIn(cycle);
  for (const sched::Start& start : plan.starts) {
    const bool free = start.kind == sched::StartKind::kNow;
    if (free && !later.contains(view_.IdOf(start.workload)))
      cycle.starts.push_back(OrderFor(start));
    if (start.kind == sched::StartKind::kAfterEvictions)
      add(PromiseFor(state, planned, start, now));
  }
  for (const sched::Restart& restart : planned.restarts) {
    if (restart.why == sched::Restart::Why::kGrow) add(RestartFor(state, restart, now));
  }
  remark_ = remark_ || !plan.refusals.empty() || !cycle.promises.empty();
}

}  // namespace yard::control
