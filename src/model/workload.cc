#include "model/workload.h"

#include <utility>

#include <fmt/format.h>

#include "model/spec/spec.h"

namespace yard {

bool WaitsForOutputs(const Workload& workload) {
  return !workload.deleted_at && workload.saved_attempts < workload.attempts &&
         !workload.spec->storage->outputs.empty();
}

std::string_view Name(DesiredPhase phase) {
  switch (phase) {
    case DesiredPhase::kRunning:
      return "Running";
    case DesiredPhase::kStopped:
      return "Stopped";
    case DesiredPhase::kDeleted:
      return "Deleted";
  }
  return "Running";
}

std::string_view Name(WorkloadType type) {
  switch (type) {
    case WorkloadType::kWorkspace:
      return "Workspace";
    case WorkloadType::kTraining:
      return "Training";
    case WorkloadType::kDistributed:
      return "Distributed";
    case WorkloadType::kInference:
      return "Inference";
  }
  return "Workspace";
}

bool CanSuspend(const Workload& workload) {
  return workload.type != WorkloadType::kInference && !workload.deleted_at &&
         workload.desired == DesiredPhase::kRunning && !IsFinal(workload.life);
}

std::int64_t PodsOf(const ResourceRequest& request) {
  return request.pods + (request.master ? 1 : 0);
}

PodRequest TotalOf(const ResourceRequest& request) {
  PodRequest total = request;
  total.gpu = request.gpu * request.pods;
  total.cpu = request.cpu * request.pods;
  total.memory = request.memory * request.pods;
  total.gpu_devices = request.gpu_devices * request.pods;
  if (!request.master) return total;
  total.gpu += request.master->gpu;
  total.cpu += request.master->cpu;
  total.memory += request.master->memory;
  total.gpu_devices += request.master->gpu_devices;
  return total;
}

Status Move(Workload& workload, const Transition& transition) {
  Life next = transition.next;
  // An order to cancel is carried out when the tasks have stopped.
  const bool cancelled = workload.life == Life::kCancelling && next == Life::kSuspended;
  if (cancelled) next = Life::kCancelled;
  if (!MayFollow(workload.life, next)) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' is {} and cannot become {}", workload.name,
                            Name(workload.phase()), Name(PhaseOf(next))));
  }
  const Phase before = workload.phase();
  workload.life = next;
  std::string_view own = ReasonOf(next);
  workload.phase_reason = own.empty() ? transition.reason : std::string(own);
  // The message of an order to cancel names the person.
  if (!cancelled) workload.phase_message = transition.message;
  const bool still_runs = before == Phase::kRunning && workload.phase() == Phase::kRunning;
  if (!still_runs) workload.phase_since = transition.at;
  if (HasEnded(next)) workload.completed_at = transition.at;
  return {};
}

Status Suspend(Workload& workload, Time at) {
  if (workload.desired == DesiredPhase::kStopped) return {};
  if (workload.deleted_at || IsFinal(workload.life)) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' is {} and cannot be suspended", workload.name,
                            Name(workload.phase())),
                "only work that waits or runs can be suspended");
  }
  // It stops already, and an order to resume it is taken back.
  if (workload.life != Life::kSuspending)
    YARD_TRY(Move(workload, {Life::kSuspending, "SuspendRequested", "Stopping on request.", at}));
  workload.phase_message = "Stopping on request.";
  workload.desired = DesiredPhase::kStopped;
  return {};
}

Status Resume(Workload& workload, Time at) {
  const bool stopped = workload.phase() == Phase::kStopped;
  const bool ended = IsFinal(workload.life);
  if (workload.desired == DesiredPhase::kRunning && !stopped && !ended) return {};
  if (workload.life == Life::kSuspending) {
    workload.phase_message = "Stopping; it starts again once it has stopped.";
    workload.desired = DesiredPhase::kRunning;
    return {};
  }
  if (!stopped) {
    return Fail(
        Code::kPrecondition,
        fmt::format("workload '{}' is {} and cannot be resumed", workload.name,
                    Name(workload.phase())),
        ended ? "submit it again to run it once more" : "wait until it is Stopped, then resume it");
  }
  YARD_TRY(Move(workload, {Life::kResuming, "", "Resuming on request.", at}));
  workload.desired = DesiredPhase::kRunning;
  workload.completed_at.reset();
  return {};
}

Status Cancel(Workload& workload, std::string_view by, Time at) {
  if (workload.life == Life::kCancelling || workload.life == Life::kCancelled) return {};
  if (workload.deleted_at || IsFinal(workload.life)) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' is {} and cannot be cancelled", workload.name,
                            Name(workload.phase())),
                "it has ended already");
  }
  const Life next = workload.life == Life::kSuspended ? Life::kCancelled : Life::kCancelling;
  YARD_TRY(Move(workload, {next, "", fmt::format("Cancelled by {}.", by), at}));
  workload.desired = DesiredPhase::kStopped;
  return {};
}

Status MarkDeleted(Workload& workload, Time at) {
  if (workload.deleted_at) return {};
  YARD_TRY(Move(workload, {Life::kDeleting, "", "Deleted on request.", at}));
  workload.desired = DesiredPhase::kDeleted;
  workload.deleted_at = at;
  return {};
}

}  // namespace yard
