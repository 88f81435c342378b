// What people submit, and the phases it goes through (Run:ai's phases).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "base/result.h"
#include "model/common.h"
#include "model/ids.h"

namespace yard {

enum class WorkloadType { kWorkspace, kTraining, kDistributed, kInference };

enum class Phase {
  kCreating,
  kInitializing,
  kResuming,
  kPending,
  kDeleting,
  kRunning,
  kUpdating,
  kStopped,
  kStopping,
  kDegraded,
  kFailed,
  kCompleted,
  kTerminating,
  kUnknown,
};

enum class DesiredPhase { kRunning, kStopped, kDeleted };

// What one workload asks for in all, and per pod. Integers, so sums are exact.
struct ResourceRequest {
  MilliGpu gpu;                         // per pod
  std::optional<Mebibytes> gpu_memory;  // per device, instead of a portion
  MilliCpu cpu;
  Mebibytes memory;
  std::int64_t gpu_devices = 0;
  std::int64_t pods = 1;
};

struct Workload {
  using Id = WorkloadId;
  Id id;
  std::string name;            // unique within the project among workloads that are not deleted
  std::string requested_name;  // before a suffix was added
  WorkloadType type = WorkloadType::kWorkspace;
  ClusterId cluster;
  DepartmentId department;
  ProjectId project;
  Document spec;         // after policy defaults; the worker's for distributed work
  Document master_spec;  // distributed only
  std::string image;
  ResourceRequest request;
  std::string priority_class;
  std::int64_t priority = 0;
  bool preemptible = false;
  std::vector<std::string> node_pools;  // asked for, in order; empty: the project's
  std::string source = "Control-plane";

  DesiredPhase desired = DesiredPhase::kRunning;
  Phase phase = Phase::kCreating;
  std::string phase_reason;   // machine-readable, e.g. "NoEngine"
  std::string phase_message;  // one sentence for people
  Time phase_since;
  std::optional<Time> completed_at;
  std::optional<Time> deleted_at;
  Stamp stamp;
};

// One line of a workload's event list.
struct WorkloadEvent {
  Uuid id;
  WorkloadId workload;
  Time at;
  std::string type;  // Normal or Warning
  std::string reason;
  std::string message;
  std::string source;
};

std::string_view Name(Phase phase);
std::string_view Name(DesiredPhase phase);
std::string_view Name(WorkloadType type);

// Whether nothing will happen any more without a new command.
bool IsFinal(Phase phase);

// The one transition function: moves the workload to `next` or says why that is not legal.
struct Transition {
  Phase next;
  std::string reason;
  std::string message;
  Time at;
};
Status Move(Workload& workload, const Transition& transition);

// What a person asks for; each fails with kPrecondition if the phase does not allow it.
Status Suspend(Workload& workload, Time at);
Status Resume(Workload& workload, Time at);
Status MarkDeleted(Workload& workload, Time at);

}  // namespace yard
