#include "control/dispatch/cycle.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/log.h"
#include "control/commands/scheduler_settings.h"
#include "control/commands/workloads.h"
#include "control/dispatch/contact.h"
#include "control/dispatch/gate.h"
#include "control/dispatch/node_sync.h"
#include "control/sched/choices.h"
#include "sched/reclaim/spared.h"

namespace yard::control {
namespace {

using NodeNames = std::set<std::string, std::less<>>;

// One part that cannot be done must not hold up the others.
void Note(const Status& status) {
  if (!status) log::Error("a part of a plan is left out", {{"error", status.error().message}});
}

NodeNames OpenNodes(const State& state, ClusterId cluster) {
  NodeNames names;
  state.Of<Node>().Each([&](const Node& node) {
    bool open = node.cluster == cluster && !node.engine.empty() && !node.drain &&
                node.status == NodeStatus::kReady;
    if (open) names.insert(node.name);
  });
  return names;
}

// Another cluster may have been faster.
bool IsStillPossible(const State& state, const NodeNames& nodes, const StartOrder& start) {
  Ptr<Workload> workload = state.Find<Workload>(start.workload);
  if (!workload || !Waits(state, *workload) || workload->rules.hold) return false;
  const std::vector<ClusterId> choices = ChoicesOf(state, *workload);
  if (std::ranges::find(choices, start.cluster) == choices.end()) return false;
  return std::ranges::all_of(start.places,
                             [&](const TaskPlace& place) { return nodes.contains(place.node); });
}

void CommitStarts(Txn& txn, const CycleScope& scope, const std::vector<StartOrder>& starts) {
  if (starts.empty()) return;
  NodeNames nodes = OpenNodes(txn.state(), scope.cluster);
  for (const StartOrder& start : starts) {
    if (IsStillPossible(txn.state(), nodes, start)) Note(PlaceAttempt(txn, start));
  }
}

// How often it was evicted within the hour, this time included, and when that ends.
std::string EvictionSentence(const State& state, WorkloadId id, Time now) {
  const std::int64_t most = RulesOf(state, UsualPolicy()).policy.most_evictions_per_hour;
  std::int64_t count = 1;
  for (const Ptr<Attempt>& attempt : state.AttemptsOf(id)) {
    const bool evicted = attempt->end && attempt->end->cause == EndCause::kPreempted;
    if (evicted && attempt->end->at + sched::kEvictionWindow > now) ++count;
  }
  if (most == 0) return "";
  return fmt::format(" This is eviction {} of at most {} within an hour.", count, most);
}

void EmitStop(Txn& txn, const Workload& workload, const StopOrder& order) {
  std::string why = order.rule == kDrainRule
                        ? "Told to stop since its node is drained"
                        : fmt::format("Told to stop by the rule {}", order.rule);
  const std::string how_often = order.cause == EndCause::kPreempted
                                    ? EvictionSentence(txn.state(), workload.id, txn.now())
                                    : "";
  txn.Emit({.id = txn.NewUuid(),
            .workload = workload.id,
            .at = txn.now(),
            .type = "Warning",
            .reason = std::string(Name(order.cause)),
            .message = (order.by.empty() ? why + "." : fmt::format("{} for {}.", why, order.by)) +
                       how_often,
            .source = "gpuyard"});
}

Status CommitStop(Txn& txn, const StopRequest& stop) {
  Ptr<Workload> found = txn.state().Find<Workload>(stop.workload);
  Ptr<Attempt> open = found ? txn.state().OpenAttempt(*found) : nullptr;
  if (!open || open->id != stop.attempt || open->stop) return {};
  // It was chosen while it was on its GPUs: its memory is not to be lost now.
  const bool moves = open->residence != Residence::kOnGpu;
  if (moves && stop.order.cause == EndCause::kPreempted) return {};
  OrderStop(txn, *found, stop.order);
  EmitStop(txn, *found, stop.order);
  // Idle work can be resumed, as if its owner had suspended it; parked work was suspended.
  const bool idle = stop.order.cause == EndCause::kIdle;
  if (!idle && found->life != Life::kParked) return {};
  Workload workload = *found;
  std::string why = idle ? "Stopping since it is idle." : "Stopping; its memory is given up.";
  YARD_TRY(MoveWorkload(txn, workload,
                        {Life::kSuspending, std::string(Name(stop.order.cause)), why, txn.now()}));
  workload.desired = DesiredPhase::kStopped;
  txn.Put(std::move(workload));
  return {};
}

void CommitStops(Txn& txn, const PromiseOrder& order) {
  for (const StopRequest& stop : order.stops) Note(CommitStop(txn, stop));
  if (order.note.empty()) return;
  txn.Emit({.id = txn.NewUuid(),
            .workload = order.promise.workload,
            .at = txn.now(),
            .type = "Normal",
            .reason = "StartsAgain",
            .message = order.note,
            .source = "gpuyard"});
}

// Nobody is stopped for work that cannot have the place.
void CommitPromise(Txn& txn, const PromiseOrder& order) {
  const auto can = [&](const PromiseOrder& one) { return CanPromise(txn.state(), one.promise); };
  if (!can(order) || !std::ranges::all_of(order.restarts, can)) return;
  CommitStops(txn, order);
  for (const PromiseOrder& restart : order.restarts) CommitStops(txn, restart);
}

void CommitRemark(Txn& txn, const Remark& remark) {
  Ptr<Workload> found = txn.state().Find<Workload>(remark.workload);
  bool waits = found && (Waits(txn.state(), *found) || WaitsForItsGpus(txn.state(), *found));
  if (!waits) return;
  if (found->phase_reason == remark.reason && found->phase_message == remark.message) return;
  Workload workload = *found;
  workload.phase_reason = remark.reason;
  workload.phase_message = remark.message;
  txn.Put(std::move(workload));
}

void EmitWarning(Txn& txn, const Remark& warning) {
  txn.Emit({.id = txn.NewUuid(),
            .workload = warning.workload,
            .at = txn.now(),
            .type = "Warning",
            .reason = warning.reason,
            .message = warning.message,
            .source = "gpuyard"});
}

Status CommitFailure(Txn& txn, const Remark& remark) {
  Ptr<Workload> found = txn.state().Find<Workload>(remark.workload);
  if (!found || !Waits(txn.state(), *found)) return {};
  Workload workload = *found;
  if (remark.reason == kNotNeeded) {
    YARD_TRY(Cancel(workload, remark.message, txn.now()));
    if (workload.life == Life::kCancelling)
      YARD_TRY(
          MoveWorkload(txn, workload, {Life::kCancelled, "", workload.phase_message, txn.now()}));
    txn.Put(std::move(workload));
    return {};
  }
  YARD_TRY(MoveWorkload(txn, workload, {Life::kFailed, remark.reason, remark.message, txn.now()}));
  txn.Put(std::move(workload));
  return {};
}

}  // namespace

bool IsRestart(const State& state, const Promise& promise) {
  Ptr<Attempt> own =
      promise.victims.size() == 1 ? state.Find<Attempt>(promise.victims[0]) : nullptr;
  return own && own->workload == promise.workload;
}

bool CanPromise(const State& state, const Promise& promise) {
  Ptr<Workload> workload = state.Find<Workload>(promise.workload);
  const bool restarts =
      workload && workload->desired == DesiredPhase::kRunning && IsRestart(state, promise);
  if (!workload || workload->rules.hold) return false;
  if (!restarts && !Waits(state, *workload)) return false;
  return std::ranges::all_of(promise.victims, [&](AttemptId id) {
    Ptr<Attempt> victim = state.Find<Attempt>(id);
    return victim && !victim->end &&
           (victim->residence == Residence::kOnGpu || victim->residence == Residence::kLeaving);
  });
}

Status CommitCycle(Txn& txn, const CycleScope& scope, const Cycle& cycle) {
  if (cycle.nodes) YARD_TRY(SyncNodes(txn, scope.cluster, scope.engine, *cycle.nodes));
  if (cycle.lost) LoseNodes(txn, scope.cluster, scope.engine, *cycle.lost);
  for (NodeId id : cycle.drained) EndDrain(txn, id);
  for (const auto& [attempt, progress] : cycle.progress) {
    RecordProgress(txn, attempt, progress);
  }
  for (const Moved& moved : cycle.moved) RecordMoved(txn, moved);
  for (WorkloadId id : cycle.returns) BeginReturn(txn, id);
  for (const StopRequest& stop : cycle.stops) Note(CommitStop(txn, stop));
  for (const PromiseOrder& promise : cycle.promises) CommitPromise(txn, promise);
  for (const Remark& failure : cycle.failures) Note(CommitFailure(txn, failure));
  CommitStarts(txn, scope, cycle.starts);
  for (const Remark& remark : cycle.remarks) CommitRemark(txn, remark);
  for (const Remark& warning : cycle.warnings) EmitWarning(txn, warning);
  return {};
}

}  // namespace yard::control
