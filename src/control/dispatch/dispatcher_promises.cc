// How the dispatcher clears places: who is told to stop for whom, and who has the place then.
#include <algorithm>

#include "control/dispatch/dispatcher.h"

namespace yard::control {
namespace {

std::string_view RuleName(sched::Rule rule) {
  switch (rule) {
    case sched::Rule::kReclaim:
      return "reclaim";
    case sched::Rule::kPreempt:
      return "priority";
    case sched::Rule::kStaleGang:
      return "stale-gang";
    case sched::Rule::kTimeLimit:
      return "time-limit";
    case sched::Rule::kIdle:
      return "idle";
    case sched::Rule::kReservation:
      return "reservation";
    case sched::Rule::kFirstGpu:
      return "first-gpu";
  }
  return "reclaim";
}

// The owner of the victim reads it, and may know nothing of other projects.
std::string ShownTo(const Workload& victim, const Workload* beneficiary) {
  if (beneficiary == nullptr) return "";
  bool same = beneficiary->project == victim.project;
  return same ? beneficiary->name : "work of another project";
}

}  // namespace

StartOrder Dispatcher::OrderFor(sched::Start start) const {
  const auto pool = static_cast<std::size_t>(start.pool.value);
  StartOrder order{.workload = view_.IdOf(start.workload), .pool = view_.tables().pool_ids[pool]};
  std::ranges::stable_sort(start.tasks, {}, &sched::TaskPlacement::group);
  for (const sched::TaskPlacement& task : start.tasks) {
    order.places.push_back(PlaceOf(view_.tables(), task));
  }
  return order;
}

// Nothing if somebody who is to go cannot be told to.
std::optional<PromiseOrder> Dispatcher::PromiseFor(const State& state, const sched::Plan& plan,
                                                   const sched::Start& start, Time now) const {
  StartOrder place = OrderFor(start);
  Ptr<Workload> beneficiary = state.Find<Workload>(place.workload);
  PromiseOrder order{.promise = {.workload = place.workload,
                                 .pool = place.pool,
                                 .places = std::move(place.places)}};
  for (const sched::Eviction& eviction : plan.evictions) {
    if (eviction.for_whom != start.workload) continue;
    Ptr<Workload> victim = state.Find<Workload>(view_.IdOf(eviction.victim));
    Ptr<Attempt> attempt = victim ? state.OpenAttempt(*victim) : nullptr;
    if (!attempt) return std::nullopt;
    order.promise.victims.push_back(attempt->id);
    const bool leaves = attempt->stop || attempt->residence == Residence::kLeaving;
    if (leaves) continue;  // it makes room as it is
    order.stops.push_back({victim->id,
                           attempt->id,
                           {EndCause::kPreempted, ShownTo(*victim, beneficiary.get()),
                            std::string(RuleName(eviction.rule)), now}});
  }
  if (!CanPromise(state, order.promise)) return std::nullopt;
  return order;
}

// After the commit: what it left out is not promised.
void Dispatcher::MakePromises(const State& state, const std::vector<PromiseOrder>& orders) {
  for (const PromiseOrder& order : orders) {
    const bool goes = std::ranges::all_of(order.promise.victims, [&](AttemptId id) {
      Ptr<Attempt> victim = state.Find<Attempt>(id);
      return victim && (victim->stop || victim->end || victim->residence != Residence::kOnGpu);
    });
    if (!goes) continue;
    promises_.Make(order.promise);
    view_.Sync(state, order.promise.workload);
    for (AttemptId id : order.promise.victims) {
      view_.Sync(state, state.Find<Attempt>(id)->workload);
    }
  }
}

void Dispatcher::DropPromise(const State& state, WorkloadId id) {
  const std::optional<Promise> dropped = promises_.Drop(id);
  decide_ = true;
  view_.Sync(state, id);
  if (!dropped) return;
  for (AttemptId victim : dropped->victims) {
    if (Ptr<Attempt> attempt = state.Find<Attempt>(victim)) view_.Sync(state, attempt->workload);
  }
}

// Heads bind nobody but the scheduler itself, so they need no commit.
void Dispatcher::KeepHeads(const sched::Plan& plan) {
  std::unordered_map<WorkloadId, HeldPlace> heads;
  for (const sched::Head& head : plan.heads) {
    const auto node = static_cast<std::size_t>(head.start.tasks[0].node.value);
    const sched::PoolIndex pool = view_.scheduler().snapshot().nodes[node].pool;
    StartOrder order = OrderFor({head.workload, pool, sched::StartKind::kNow, head.start.tasks});
    heads.emplace(order.workload, HeldPlace{head.start.at, std::move(order.places)});
  }
  promises_.SetHeads(std::move(heads));
  view_.scheduler().SetHeads(plan.heads);
}

// Who has started, or does not wait for a place any more, needs none.
void Dispatcher::DropUnwanted(const State& state) {
  for (WorkloadId id : promises_.All()) {
    Ptr<Workload> workload = state.Find<Workload>(id);
    const bool waits = workload && Waits(state, *workload) && !view_.gated().contains(id);
    if (!waits) DropPromise(state, id);
  }
}

}  // namespace yard::control
