// Commands on workloads.
//
// Each checks its caller's permission itself, on the newest state. Every change of phase leaves
// an event, so that a workload's history is complete. Reactor thread, except the lookups.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/workload.h"

namespace yard::control {

// What a permission on this kind of work is called.
Resource ResourceOf(WorkloadType type);

// A submission: everything but what creation decides (id, department, stamps, phase).
enum class Naming {
  kExact,   // refused if the name is taken
  kSuffix,  // a random suffix is added
  kNumber,  // "train", and if that is taken "train-2", "train-3" …
};
struct WorkloadDraft {
  Workload workload;
  Naming naming = Naming::kExact;
};

Result<Ptr<Workload>> CreateWorkload(Txn& txn, WorkloadDraft draft);

// Shortens its time limit to those of its project and department.
void TakeTimeLimits(const State& state, const Project& project, Workload& workload);

// Says what is missing. Deleted workloads are found only by FindWorkload.
Result<Ptr<Workload>> FindWorkload(const State& state, WorkloadId id);
Result<Ptr<Workload>> GetWorkload(const State& state, WorkloadId id, WorkloadType type);

// Both do nothing if the workload is there already, or on its way.
Result<Ptr<Workload>> SuspendWorkload(Txn& txn, WorkloadId id, WorkloadType type);
Result<Ptr<Workload>> ResumeWorkload(Txn& txn, WorkloadId id, WorkloadType type);

// Ends it and keeps its record; what was cancelled before stays as it is.
Result<Ptr<Workload>> CancelWorkload(Txn& txn, WorkloadId id);

// Without a type, whatever kind of work the id names.
Status DeleteWorkload(Txn& txn, WorkloadId id, std::optional<WorkloadType> type);

// Replaces the named fields of an inference's spec; `fields` is a JSON object.
Result<Ptr<Workload>> PatchInference(Txn& txn, WorkloadId id, const Document& fields);

// Moves a workload and leaves the event; for engines and for the commands above.
Status MoveWorkload(Txn& txn, Workload& workload, const Transition& transition);

}  // namespace yard::control
