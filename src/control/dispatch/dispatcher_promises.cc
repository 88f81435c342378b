// How the dispatcher clears places: who is told to stop for whom, and who has the place then.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string_view RuleName(sched::Restart::Why why) {
  switch (why) {
    case sched::Restart::Why::kMove:
      return "move";
    case sched::Restart::Why::kShrink:
      return "shrink";
    case sched::Restart::Why::kGrow:
      return "grow";
  }
  return "move";
}

std::string NodesOf(const std::vector<TaskPlace>& places) {
  std::set<std::string> names;
  for (const TaskPlace& place : places) names.insert(place.node);
  return fmt::format("{}", fmt::join(names, ", "));
}

// What its owner reads about its next start.
std::string RestartNote(sched::Restart::Why why, const Attempt& attempt,
                        const std::vector<TaskPlace>& next, const std::string& by) {
  const std::string sizes = fmt::format("It stops and starts again with {} instead of {} tasks",
                                        next.size(), attempt.places.size());
  switch (why) {
    case sched::Restart::Why::kMove:
      return fmt::format("It stops on {} and starts again on {}, so that {} finds room.",
                         NodesOf(attempt.places), NodesOf(next), by);
    case sched::Restart::Why::kShrink:
      return fmt::format("{}: the others make room for {}.", sizes, by);
    case sched::Restart::Why::kGrow:
      return sizes + ": nobody waits for the room.";
  }
  return sizes;
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
  StartOrder order{.workload = view_.IdOf(start.workload),
                   .cluster = cluster_,
                   .pool = view_.tables().pool_ids[pool]};
  std::ranges::stable_sort(start.tasks, {}, &sched::TaskPlacement::group);
  for (const sched::TaskPlacement& task : start.tasks) {
    order.places.push_back(PlaceOf(view_.tables(), task));
  }
  return order;
}

// Nothing if somebody who is to go cannot be told to.
std::optional<PromiseOrder> Dispatcher::PromiseFor(const State& state, const Planned& planned,
                                                   const sched::Start& start, Time now) const {
  StartOrder place = OrderFor(start);
  Ptr<Workload> beneficiary = state.Find<Workload>(place.workload);
  PromiseOrder order{.promise = {.workload = place.workload,
                                 .pool = place.pool,
                                 .places = std::move(place.places)}};
  for (const sched::Eviction& eviction : planned.plan.evictions) {
    if (eviction.for_whom != start.workload) continue;
    if (!sched::IsWhole(eviction, view_.scheduler_snapshot())) continue;
    Ptr<Workload> victim = state.Find<Workload>(view_.IdOf(eviction.victim));
    Ptr<Attempt> attempt = victim ? state.OpenAttempt(*victim) : nullptr;
    if (!attempt) return std::nullopt;
    order.promise.victims.push_back(attempt->id);
    const bool leaves = attempt->stop || attempt->residence == Residence::kLeaving;
    if (leaves) continue;  // it makes room as it is
    order.stops.push_back({victim->id,
                           attempt->id,
                           {EndCause::kPreempted, ShownTo(*victim, beneficiary.get()),
                            std::string(RuleName(eviction.rule)), now, place.workload}});
  }
  for (const sched::Restart& restart : planned.restarts) {
    if (restart.for_whom != start.workload) continue;
    std::optional<PromiseOrder> other = RestartFor(state, restart, now);
    if (!other) return std::nullopt;
    order.restarts.push_back(*std::move(other));
  }
  if (!CanPromise(state, order.promise)) return std::nullopt;
  return order;
}

// Nothing if it is leaving already, or not there to be told.
std::optional<PromiseOrder> Dispatcher::RestartFor(const State& state,
                                                   const sched::Restart& restart, Time now) const {
  const auto node = static_cast<std::size_t>(restart.tasks[0].node.value);
  StartOrder place = OrderFor({restart.workload, view_.scheduler_snapshot().nodes[node].pool,
                               sched::StartKind::kNow, restart.tasks});
  Ptr<Workload> workload = state.Find<Workload>(place.workload);
  Ptr<Attempt> attempt = workload ? state.OpenAttempt(*workload) : nullptr;
  if (!attempt || attempt->stop || attempt->residence != Residence::kOnGpu) return std::nullopt;
  std::optional<WorkloadId> other;
  if (restart.for_whom != sched::kNone<sched::WorkloadIndex>) other = view_.IdOf(restart.for_whom);
  Ptr<Workload> beneficiary = other ? state.Find<Workload>(*other) : nullptr;
  const std::string by = ShownTo(*workload, beneficiary.get());
  PromiseOrder order{
      .promise = {place.workload, place.pool, std::move(place.places), {attempt->id}}};
  order.note = RestartNote(restart.why, *attempt, order.promise.places, by);
  order.stops.push_back(
      {workload->id,
       attempt->id,
       {EndCause::kPreempted, by, std::string(RuleName(restart.why)), now, other}});
  if (!CanPromise(state, order.promise)) return std::nullopt;
  return order;
}

bool Dispatcher::Goes(const State& state, const PromiseOrder& order) const {
  return std::ranges::all_of(order.promise.victims, [&](AttemptId id) {
    Ptr<Attempt> victim = state.Find<Attempt>(id);
    return victim && (victim->stop || victim->end || victim->residence != Residence::kOnGpu);
  });
}

void Dispatcher::MakePromise(const State& state, const PromiseOrder& order) {
  promises_.Make(order.promise);
  view_.Sync(state, order.promise.workload);
  for (AttemptId id : order.promise.victims) {
    view_.Sync(state, state.Find<Attempt>(id)->workload);
  }
}

// After the commit: what it left out is not promised.
void Dispatcher::MakePromises(const State& state, const std::vector<PromiseOrder>& orders) {
  const auto goes = [&](const PromiseOrder& order) { return Goes(state, order); };
  for (const PromiseOrder& order : orders) {
    if (!goes(order) || !std::ranges::all_of(order.restarts, goes)) continue;
    for (const PromiseOrder& restart : order.restarts) MakePromise(state, restart);
    MakePromise(state, order);
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
    Ptr<Attempt> open = workload ? state.OpenAttempt(*workload) : nullptr;
    const bool restarts = open && promises_.LeavesFor(open->id) == id;
    if (!waits && !restarts) DropPromise(state, id);
  }
}

}  // namespace yard::control
