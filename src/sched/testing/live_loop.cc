#include "sched/testing/live_loop.h"

#include <algorithm>

#include "sched/core/core.h"
#include "sched/reclaim/spared.h"

namespace yard::sched {
namespace {

constexpr std::uint64_t kLongestStop = 3;  // turns

bool EndsForGood(Rule rule) {
  return rule == Rule::kTimeLimit || rule == Rule::kIdle || rule == Rule::kStaleGang;
}

}  // namespace

LiveLoop::LiveLoop(Scheduler scheduler, Places places, std::uint64_t seed)
    : scheduler_(std::move(scheduler)), places_(places), random_(seed) {}

void LiveLoop::Note(const Status& status) {
  if (!status && error.empty()) error = status.error().message;
}

void LiveLoop::Advance(Micros span) {
  scheduler_.SetNow(scheduler_.snapshot().now + span);
}

bool LiveLoop::Settles(int most_turns) {
  for (int turn = 0; turn < most_turns; ++turn) {
    if (!Turn()) return true;
  }
  return false;
}

bool LiveLoop::Turn() {
  const Plan plan = scheduler_.Decide();
  const bool quiet = plan.starts.empty() && plan.evictions.empty() && plan.lapsed.empty();
  if (quiet && leavers_.empty()) return false;
  if (!quiet) history += Describe(plan, scheduler_.snapshot()) + "\n";
  Carry(plan);
  Advance(Seconds(1));
  LetStop();
  return true;
}

void LiveLoop::Carry(const Plan& plan) {
  const Snapshot before = scheduler_.snapshot();
  for (WorkloadIndex lapsed : plan.lapsed) scheduler_.Withdraw(lapsed);
  for (const Eviction& eviction : plan.evictions) {
    if (EndsForGood(eviction.rule)) scheduler_.Remove(eviction.victim);
  }
  for (const sched::Start& start : plan.starts) {
    if (start.kind == StartKind::kAfterEvictions) {
      Evict(plan, start);
      continue;
    }
    if (start.kind == StartKind::kGrow) continue;
    ++starts[scheduler_.core().At(start.workload).id];
    Note(scheduler_.Start(start.workload, start.tasks));
  }
  for (const Restart& restart : RestartsIn(plan, before)) {
    Note(scheduler_.Restart(restart.workload, restart.tasks));
    LetLeave(restart.workload);
  }
  scheduler_.SetHeads(plan.heads);
}

void LiveLoop::Evict(const Plan& plan, const sched::Start& start) {
  std::vector<WorkloadIndex> victims;
  for (const Eviction& eviction : plan.evictions) {
    const bool whole = IsWhole(eviction, scheduler_.snapshot());
    if (whole && eviction.for_whom == start.workload) victims.push_back(eviction.victim);
  }
  if (places_ == Places::kHeld) Note(scheduler_.Promise(start.workload, start.tasks, victims));
  for (WorkloadIndex victim : victims) LetLeave(victim);
}

void LiveLoop::LetLeave(WorkloadIndex victim) {
  if (std::ranges::find(leavers_, victim, &Leaver::victim) != leavers_.end()) return;
  evictions[scheduler_.core().At(victim).id].push_back(scheduler_.snapshot().now);
  leavers_.push_back({victim, static_cast<int>(random_.Below(kLongestStop))});
}

void LiveLoop::LetStop() {
  std::vector<Leaver> staying;
  for (Leaver& leaver : leavers_) {
    const Workload& victim = scheduler_.core().At(leaver.victim);
    if (victim.state != WorkloadState::kRunning) continue;
    if (leaver.turns-- > 0) {
      staying.push_back(leaver);
      continue;
    }
    scheduler_.Stop(leaver.victim);
    Workload spared = victim;
    spared.rare.Edit().spared_until =
        SparedUntil(evictions[spared.id], scheduler_.policy().most_evictions_per_hour);
    Note(scheduler_.Replace(leaver.victim, std::move(spared)));
  }
  leavers_ = std::move(staying);
}

}  // namespace yard::sched
