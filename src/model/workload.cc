#include "model/workload.h"

#include <utility>

#include <fmt/format.h>

namespace yard {
namespace {

constexpr std::string_view kCancelled = "Cancelled";
constexpr std::string_view kCancelRequested = "CancelRequested";

// Which phases may follow which. Deleting may follow everything, since anything can be deleted.
// Parked work is Stopped or Pending and has tasks, which can end.
bool MayFollow(Phase from, Phase to) {
  if (to == Phase::kDeleting || to == Phase::kUnknown) return true;
  switch (from) {
    case Phase::kCreating:
      return to == Phase::kPending || to == Phase::kFailed || to == Phase::kStopping;
    case Phase::kPending:
      return to == Phase::kInitializing || to == Phase::kStopping || to == Phase::kFailed ||
             to == Phase::kPending || to == Phase::kStopped || to == Phase::kCompleted;
    case Phase::kInitializing:
      return to == Phase::kRunning || to == Phase::kFailed || to == Phase::kStopping ||
             to == Phase::kPending || to == Phase::kCompleted || to == Phase::kDegraded;
    case Phase::kRunning:
      return to != Phase::kCreating && to != Phase::kResuming;
    case Phase::kDegraded:
    case Phase::kUpdating:
      return to != Phase::kCreating && to != Phase::kResuming && to != Phase::kStopped;
    case Phase::kStopping:
      return to == Phase::kStopped || to == Phase::kCompleted || to == Phase::kFailed;
    case Phase::kStopped:
      return to == Phase::kResuming || to == Phase::kStopping || to == Phase::kStopped ||
             to == Phase::kFailed || to == Phase::kCompleted;
    case Phase::kResuming:
      return to == Phase::kPending || to == Phase::kInitializing || to == Phase::kStopping;
    case Phase::kTerminating:
      return to == Phase::kPending || to == Phase::kStopped || to == Phase::kFailed;
    case Phase::kCompleted:
    case Phase::kFailed:
      return false;
    case Phase::kDeleting:
      return false;
    case Phase::kUnknown:
      return true;
  }
  return false;
}

}  // namespace

std::string_view Name(Phase phase) {
  switch (phase) {
    case Phase::kCreating:
      return "Creating";
    case Phase::kInitializing:
      return "Initializing";
    case Phase::kResuming:
      return "Resuming";
    case Phase::kPending:
      return "Pending";
    case Phase::kDeleting:
      return "Deleting";
    case Phase::kRunning:
      return "Running";
    case Phase::kUpdating:
      return "Updating";
    case Phase::kStopped:
      return "Stopped";
    case Phase::kStopping:
      return "Stopping";
    case Phase::kDegraded:
      return "Degraded";
    case Phase::kFailed:
      return "Failed";
    case Phase::kCompleted:
      return "Completed";
    case Phase::kTerminating:
      return "Terminating";
    case Phase::kUnknown:
      return "Unknown";
  }
  return "Unknown";
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

bool IsFinal(Phase phase) {
  return phase == Phase::kCompleted || phase == Phase::kFailed;
}

bool IsCancelled(const Workload& workload) {
  return workload.phase == Phase::kStopped && workload.phase_reason == kCancelled;
}

bool IsParked(const Workload& workload) {
  return workload.phase == Phase::kStopped && workload.phase_reason == kParked;
}

bool HasEnded(const Workload& workload) {
  return IsFinal(workload.phase) || IsCancelled(workload);
}

bool MayHavePods(Phase phase) {
  switch (phase) {
    case Phase::kCreating:
    case Phase::kPending:
    case Phase::kResuming:
    case Phase::kStopped:
    case Phase::kFailed:
    case Phase::kCompleted:
      return false;
    case Phase::kInitializing:
    case Phase::kDeleting:
    case Phase::kRunning:
    case Phase::kUpdating:
    case Phase::kStopping:
    case Phase::kDegraded:
    case Phase::kTerminating:
    case Phase::kUnknown:
      return true;
  }
  return true;
}

bool CanSuspend(const Workload& workload) {
  return workload.type != WorkloadType::kInference && !workload.deleted_at &&
         workload.desired == DesiredPhase::kRunning && !IsFinal(workload.phase);
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
  if (!MayFollow(workload.phase, transition.next)) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' is {} and cannot become {}", workload.name,
                            Name(workload.phase), Name(transition.next)));
  }
  bool cancelled = workload.phase_reason == kCancelRequested && transition.next == Phase::kStopped;
  workload.phase = transition.next;
  workload.phase_reason = cancelled ? kCancelled : transition.reason;
  // Who cancelled it was said with the order.
  if (!cancelled) workload.phase_message = transition.message;
  workload.phase_since = transition.at;
  if (HasEnded(workload)) workload.completed_at = transition.at;
  return {};
}

Status Suspend(Workload& workload, Time at) {
  if (workload.desired == DesiredPhase::kStopped) return {};
  if (workload.deleted_at || IsFinal(workload.phase)) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' is {} and cannot be suspended", workload.name,
                            Name(workload.phase)),
                "only work that waits or runs can be suspended");
  }
  YARD_TRY(Move(workload, {Phase::kStopping, "SuspendRequested", "Stopping on request.", at}));
  workload.desired = DesiredPhase::kStopped;
  return {};
}

Status Resume(Workload& workload, Time at) {
  const bool ended = IsFinal(workload.phase);
  bool runs = workload.desired == DesiredPhase::kRunning && workload.phase != Phase::kStopped;
  if (runs && !ended) return {};
  if (workload.phase != Phase::kStopped) {
    return Fail(
        Code::kPrecondition,
        fmt::format("workload '{}' is {} and cannot be resumed", workload.name,
                    Name(workload.phase)),
        ended ? "submit it again to run it once more" : "wait until it is Stopped, then resume it");
  }
  YARD_TRY(Move(workload, {Phase::kResuming, "ResumeRequested", "Resuming on request.", at}));
  workload.desired = DesiredPhase::kRunning;
  workload.completed_at.reset();
  return {};
}

Status Cancel(Workload& workload, std::string_view by, Time at) {
  if (IsCancelled(workload) || workload.phase_reason == kCancelRequested) return {};
  if (workload.deleted_at || IsFinal(workload.phase)) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' is {} and cannot be cancelled", workload.name,
                            Name(workload.phase)),
                "it has ended already");
  }
  bool stopped = workload.phase == Phase::kStopped && !IsParked(workload);
  bool stops = workload.phase == Phase::kStopping || stopped;
  Transition order{Phase::kStopping, std::string(kCancelRequested),
                   fmt::format("Cancelled by {}.", by), at};
  if (!stops) YARD_TRY(Move(workload, order));
  workload.phase_reason = stopped ? kCancelled : kCancelRequested;
  workload.phase_message = order.message;
  workload.phase_since = at;
  workload.desired = DesiredPhase::kStopped;
  if (stopped) workload.completed_at = at;
  return {};
}

Status MarkDeleted(Workload& workload, Time at) {
  if (workload.deleted_at) return {};
  YARD_TRY(Move(workload, {Phase::kDeleting, "DeleteRequested", "Deleted on request.", at}));
  workload.desired = DesiredPhase::kDeleted;
  workload.deleted_at = at;
  return {};
}

}  // namespace yard
