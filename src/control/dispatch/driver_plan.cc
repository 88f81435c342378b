// How the driver makes up its mind: from what it knows to one cycle's worth of changes.
#include <algorithm>

#include <fmt/format.h>

#include "base/log.h"
#include "control/dispatch/driver.h"
#include "control/dispatch/reason_words.h"
#include "sched/explain/waiting.h"

namespace yard::control {
namespace {

// At most so many remarks in one cycle, so that they never hold up work.
constexpr std::size_t kMostRemarks = 256;
constexpr Micros kBetweenRemarks = Seconds(1);
// A reason that stays the same is told again, with its newest numbers, no more often than this.
constexpr Micros kBetweenRefreshes = Seconds(10);

bool IsForOthers(sched::Rule rule) {
  return rule == sched::Rule::kReclaim || rule == sched::Rule::kPreempt ||
         rule == sched::Rule::kReservation || rule == sched::Rule::kFirstGpu;
}

}  // namespace

void Driver::SyncView(const State& state, const Inbox& inbox, Time now) {
  if (inbox.org_changed || (view_.usage_due() && *view_.usage_due() <= now)) view_.MarkStale();
  if (!view_.stale()) view_.scheduler().SetNow(now);
  std::vector<WorkloadId> ids = inbox.workloads;
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  for (WorkloadId id : ids) {
    view_.Sync(state, id);
    ArmDeadline(state, id);
  }
  bool rebuild = view_.stale();
  if (rebuild) {
    if (Status built = view_.Rebuild(state, now); !built) {
      log::Error("the scheduler cannot be told the state", {{"error", built.error().message}});
    }
  }
  for (WorkloadId id : view_.TakeNewlyGated()) newly_gated_.insert(id);
  bool turned = turn_ && *turn_ <= now;
  decide_ = decide_ || rebuild || turned || !ids.empty();
  turn_ = view_.stale() ? std::nullopt : view_.NextTurn(now);
}

void Driver::ArmDeadline(const State& state, WorkloadId id) {
  if (auto at = deadline_of_.find(id); at != deadline_of_.end()) {
    deadlines_.erase({at->second, id});
    deadline_of_.erase(at);
  }
  Ptr<Workload> workload = state.Find<Workload>(id);
  if (!workload || (!workload->rules.stop_at && !workload->rules.time_limit)) return;
  std::optional<Time> deadline;
  if (Ptr<Attempt> attempt = state.OpenAttempt(*workload)) {
    if (!attempt->stop) deadline = DeadlineOf(workload->rules, *attempt);
  } else if (Waits(state, *workload)) {
    deadline = workload->rules.stop_at;
  }
  if (!deadline) return;
  deadlines_.emplace(*deadline, id);
  deadline_of_.emplace(id, *deadline);
}

void Driver::AddProgress(Cycle& cycle) {
  for (AttemptId id : touched_) {
    auto at = open_.find(id);
    if (at == open_.end()) continue;
    Open& open = at->second;
    Progress progress = Judge(*open.attempt, open.tasks, open.rule);
    if (progress.stop_rest && !std::exchange(open.rest_stopped, true)) StopAll(*open.attempt);
    bool starts = progress.started_at && !open.attempt->started_at;
    if (progress.end) {
      // The same transaction may give its place to another.
      view_.Release(open.attempt->workload);
      progress.used = Combine(usage_.UseOf(id), CountedBy(open.tasks));
      decide_ = true;
    }
    if (starts || progress.end) cycle.progress.emplace_back(id, std::move(progress));
  }
}

void Driver::AddDeadlines(const State& state, Time now, Cycle& cycle) {
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

void Driver::AddGated(const State& state, Cycle& cycle) {
  for (auto at = newly_gated_.begin(); at != newly_gated_.end();) {
    auto gate = view_.gated().find(*at);
    Ptr<Workload> workload = state.Find<Workload>(*at);
    bool told =
        gate == view_.gated().end() || !workload || workload->phase_reason == gate->second.reason;
    if (told) {
      at = newly_gated_.erase(at);
      continue;
    }
    if (cycle.remarks.size() + cycle.failures.size() >= kMostRemarks) return;
    bool never = gate->second.state == GateState::kNever;
    (never ? cycle.failures : cycle.remarks)
        .push_back({*at, gate->second.reason, gate->second.message});
    ++at;
  }
}

// Whoever came back only to be preempted at once would lose its memory: it stays away instead, and
// those who would have taken its place have it.
sched::Plan Driver::DecideWithReturns(const State& state, Cycle& cycle) {
  while (true) {
    sched::Plan plan = view_.scheduler().Decide();
    if (!plan.lapsed.empty()) {
      std::vector<WorkloadId> ids;  // rows change while promises are dropped
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

void Driver::AddPlan(const State& state, Time now, Cycle& cycle) {
  if (view_.stale() || !std::exchange(decide_, false)) return;
  view_.scheduler().SetNow(now);
  const sched::Plan plan = DecideWithReturns(state, cycle);
  if (view_.stale()) return;
  KeepHeads(plan);
  for (const sched::Start& start : plan.starts) {
    if (start.kind == sched::StartKind::kNow) cycle.starts.push_back(OrderFor(start));
    if (start.kind != sched::StartKind::kAfterEvictions) continue;
    std::optional<PromiseOrder> promise = PromiseFor(state, plan, start, now);
    if (promise) cycle.promises.push_back(*std::move(promise));
  }
  remark_ = remark_ || !plan.refusals.empty() || !cycle.promises.empty();
}

void Driver::AddRemarks(const State& state, Time now, Cycle& cycle) {
  if (!remark_ || view_.stale() || now < remarked_at_ + kBetweenRemarks) return;
  remark_ = false;
  remarked_at_ = now;
  const sched::Snapshot& snapshot = view_.scheduler().snapshot();
  bool refresh = now >= refreshed_at_ + kBetweenRefreshes;
  if (refresh) refreshed_at_ = now;
  // Many wait in a row for the same reason: it is put into words once.
  std::optional<sched::Reason> last;
  std::string reason;
  std::string sentence;
  for (const sched::WaitReason& waits : sched::ReasonsOfWaiting(view_.scheduler().core())) {
    Ptr<Workload> workload = state.Find<Workload>(view_.IdOf(waits.workload));
    if (!workload) continue;
    if (last != waits.reason) {
      last = waits.reason;
      reason = ReasonWord(waits.reason.cause);
      sentence = PublicSentence(waits.reason, snapshot);
    }
    bool known = workload->phase_reason == reason;
    // Numbers that are out of date now are looked at again when their time has come.
    if (known && !refresh && workload->phase_message != sentence) remark_ = true;
    if (known && (!refresh || workload->phase_message == sentence)) continue;
    if (cycle.remarks.size() >= kMostRemarks) {
      remark_ = true;
      return;
    }
    cycle.remarks.push_back({workload->id, reason, sentence});
  }
}

}  // namespace yard::control
