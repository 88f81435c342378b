#include "control/dispatch/attempts.h"

#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "control/commands/workloads.h"

namespace yard::control {
namespace {

std::string PlaceSentence(const std::vector<TaskPlace>& places) {
  bool one_node = true;
  for (const TaskPlace& place : places) one_node = one_node && place.node == places[0].node;
  if (one_node) return fmt::format("Starting on {}.", places[0].node);
  return fmt::format("Starting {} tasks on {} and others.", places.size(), places[0].node);
}

// What happened on a machine is recorded even if the workload should not be where it is.
void MoveOn(Txn& txn, Workload& workload, const Transition& transition) {
  Status moved = MoveWorkload(txn, workload, transition);
  if (!moved) log::Error("a workload cannot follow its tasks", {{"error", moved.error().message}});
}

void RecordStart(Txn& txn, Attempt& attempt, Workload& workload, Time at) {
  attempt.started_at = at;
  if (workload.phase() != Phase::kInitializing) return;
  MoveOn(txn, workload, {Life::kRunning, "", "Running.", at});
}

void RecordEnd(Txn& txn, Attempt& attempt, Workload& workload, const AttemptEnd& end) {
  attempt.end = end;
  Fate fate = FateOf(workload, attempt);
  if (fate.is_retry) ++workload.retries;
  if (fate.transition) MoveOn(txn, workload, *fate.transition);
  if (workload.phase() == Phase::kStopped) workload.desired = DesiredPhase::kStopped;
}

}  // namespace

bool Waits(const State& state, const Workload& workload) {
  return workload.phase() == Phase::kPending && workload.desired == DesiredPhase::kRunning &&
         !workload.deleted_at && !state.OpenAttempt(workload);
}

Status PlaceAttempt(Txn& txn, StartOrder order) {
  Ptr<Workload> found = txn.state().Find<Workload>(order.workload);
  if (!found || !Waits(txn.state(), *found) || found->rules.hold) {
    return Fail(Code::kPrecondition, "the workload does not wait for a place");
  }
  Workload workload = *found;
  Attempt attempt{.id = AttemptId{txn.NewUuid()},
                  .workload = workload.id,
                  .number = workload.attempts + 1,
                  .pool = order.pool,
                  .places = std::move(order.places),
                  .placed_at = txn.now()};
  YARD_TRY(
      MoveWorkload(txn, workload, {Life::kStarting, "", PlaceSentence(attempt.places), txn.now()}));
  if (order.cluster != workload.host()) workload.taken_by = order.cluster;
  workload.attempt = attempt.id;
  workload.attempts = attempt.number;
  txn.Put(std::move(attempt));
  txn.Put(std::move(workload));
  return {};
}

void OrderStop(Txn& txn, const Workload& workload, StopOrder order) {
  Ptr<Attempt> open = txn.state().OpenAttempt(workload);
  if (!open || open->stop) return;
  Attempt attempt = *open;
  attempt.stop = std::move(order);
  txn.Put(std::move(attempt));
}

void RecordProgress(Txn& txn, AttemptId id, const Progress& progress) {
  Ptr<Attempt> found = txn.state().Find<Attempt>(id);
  if (!found || found->end) return;
  Ptr<Workload> owner = txn.state().Find<Workload>(found->workload);
  if (!owner) return;
  Attempt attempt = *found;
  Workload workload = *owner;
  bool starts = progress.started_at && !attempt.started_at;
  const bool queues = progress.queued && !attempt.queued;
  if (!starts && !queues && !progress.end) return;
  if (queues) attempt.queued = true;
  if (starts) RecordStart(txn, attempt, workload, *progress.started_at);
  if (progress.end) RecordEnd(txn, attempt, workload, *progress.end);
  if (progress.end && progress.used.cpu) attempt.used = progress.used;
  txn.Put(std::move(attempt));
  txn.Put(std::move(workload));
}

}  // namespace yard::control
