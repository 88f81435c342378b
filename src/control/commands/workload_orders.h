// Orders people give about work that was submitted: hold, release, more time, another priority,
// another limit of GPU memory, off its GPUs with its memory kept, once more.
//
// Each checks its caller's permission itself. Reactor thread.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "control/state/txn.h"
#include "model/workload.h"

namespace yard::control {

// Waiting work does not start until it is released. Both are refused for work that does not wait.
Result<Ptr<Workload>> HoldWorkload(Txn& txn, WorkloadId id);
Result<Ptr<Workload>> ReleaseWorkload(Txn& txn, WorkloadId id);
// All work that has not ended, after a backup was restored: where it waits, now or later, it waits
// until it is released.
Status HoldQueue(Txn& txn);

// Gives it another priority class. Whether it may be preempted stays as it was submitted.
Result<Ptr<Workload>> PrioritizeWorkload(Txn& txn, WorkloadId id, const std::string& name);

// Moves the time limit and the clock time it stops at, if it has them. Refused beyond what the
// limits of project and department and the policies allow.
Result<Ptr<Workload>> ExtendWorkload(Txn& txn, WorkloadId id, Micros by);

// How far its part of a GPU may grow beyond what it asked for, also while it runs. In the terms it
// was asked for: a portion, or a size ("20G"). kPrecondition for work without a part of a GPU.
struct GpuLimitOrder {
  std::optional<double> portion;
  std::optional<std::string> memory;
};
Result<Ptr<Workload>> LimitGpuMemory(Txn& txn, WorkloadId id, const GpuLimitOrder& order);

// Takes running work off its GPUs and keeps its device memory in host memory, its processes with
// it; resuming brings it back to the same GPUs. If that cannot be done it goes on running. Does
// nothing if it is away already, or on its way.
Result<Ptr<Workload>> ParkWorkload(Txn& txn, WorkloadId id);

// A new workload with the spec of one that has ended, under the policies of today; its name gets a
// suffix if it is taken.
Result<Ptr<Workload>> RerunWorkload(Txn& txn, WorkloadId id);

}  // namespace yard::control
