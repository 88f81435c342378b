// What people submit, and how it moves through its life.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "base/result.h"
#include "base/shared.h"
#include "model/common.h"
#include "model/ids.h"
#include "model/life.h"
#include "model/run_rules.h"

namespace yard {

struct WorkloadSpec;  // model/spec/spec.h

enum class WorkloadType { kWorkspace, kTraining, kDistributed, kInference };

enum class DesiredPhase { kRunning, kStopped, kDeleted };

// What one pod asks for. Integers, so sums are exact.
struct PodRequest {
  MilliGpu gpu;                         // devices times portion; 0 if asked for by memory
  std::optional<Mebibytes> gpu_memory;  // per device, instead of a portion
  MilliCpu cpu;
  Mebibytes memory;
  std::int64_t gpu_devices = 0;
};

// What one workload asks for: `pods` equal pods, and a master that may differ from them.
struct ResourceRequest : PodRequest {
  std::int64_t pods = 1;
  // Elastic work runs with any number between these, beside the master. 0: with `pods` alone.
  std::int64_t least_pods = 0;
  std::int64_t most_pods = 0;
  std::optional<PodRequest> master;
};
// The sum over all pods.
PodRequest TotalOf(const ResourceRequest& request);
std::int64_t PodsOf(const ResourceRequest& request);

// What became of an output folder after an attempt.
struct SavedOutput {
  std::int32_t attempt = 0;  // its number
  std::string name;          // of the data set
  std::string tag;
  std::string version;  // its id; empty: it was not saved
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  std::string problem;  // why it was not saved, or not all of it
  Time at;
};

// Fields that lists filter and sort by stand first, so that a scan touches few cache lines.
struct Workload {
  using Id = WorkloadId;
  Id id;
  ProjectId project;
  DepartmentId department;
  WorkloadType type = WorkloadType::kWorkspace;
  Life life = Life::kNew;
  std::optional<Time> deleted_at;
  std::string name;  // unique within the project among workloads that are not deleted
  Stamp stamp;
  std::optional<Time> completed_at;
  ClusterId cluster;  // of its project
  DesiredPhase desired = DesiredPhase::kRunning;

  std::string requested_name;        // before a suffix was added
  Shared<WorkloadSpec> spec;         // the worker's for distributed work
  Shared<WorkloadSpec> master_spec;  // distributed only
  bool master_as_worker = false;     // distributed only: the master has the worker's spec
  ResourceRequest request;
  std::string priority_class;
  std::int64_t priority = 0;
  bool preemptible = false;

  // Another cluster of its project that it was submitted to or first placed in: it stays there,
  // since its files are there.
  std::optional<ClusterId> taken_by;
  // The cluster that its attempts run in, or the first that looks for a place.
  ClusterId host() const { return taken_by.value_or(cluster); }

  Phase phase() const { return PhaseOf(life); }
  std::string phase_reason;   // for programs outside, e.g. "NoEngine"
  std::string phase_message;  // one sentence for people
  Time phase_since;

  RunRules rules;
  std::optional<AttemptId> attempt;  // the newest; it may have ended
  std::int32_t attempts = 0;         // how many there were, the newest included
  std::int64_t retries = 0;          // of these, how many by the retry rule
  std::optional<bool> by_cli;        // it was sent by a command line of ours; absent: no
  std::vector<SavedOutput> saved;    // newest last
  std::int32_t saved_attempts = 0;   // the outputs of attempts up to this one need nothing more
};

// One line of a workload's event list. A change of phase is an event too: its source is
// kPhaseSource and its reason the name of the phase.
inline constexpr std::string_view kPhaseSource = "phase";
struct WorkloadEvent {
  Uuid id;
  WorkloadId workload;
  Time at;
  std::string type;  // Normal or Warning
  std::string reason;
  std::string message;
  std::string source;
};

std::string_view Name(DesiredPhase phase);
std::string_view Name(WorkloadType type);

// The outputs of an attempt are to be saved, now or when it has ended.
bool WaitsForOutputs(const Workload& workload);

// Whether suspending makes sense now.
bool CanSuspend(const Workload& workload);

// The one transition function: moves the workload to `next` or says why that is not legal.
// `reason` is the cause where the life itself does not say it.
struct Transition {
  Life next;
  std::string reason;
  std::string message;
  Time at;
};
Status Move(Workload& workload, const Transition& transition);

// What a person asks for; each fails with kPrecondition if the phase does not allow it.
Status Suspend(Workload& workload, Time at);
Status Resume(Workload& workload, Time at);
Status MarkDeleted(Workload& workload, Time at);
// Ends it and keeps the record, which says by whom and when.
Status Cancel(Workload& workload, std::string_view by, Time at);

}  // namespace yard
