// What the driver wants to make true in one go: what tasks did, what the scheduler decided, and
// what people should know. A value, and its commit.
//
// The commit re-checks every part against the newest state and leaves out what no longer holds,
// so that a plan made a moment ago never overrides what happened since.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "control/dispatch/attempts.h"
#include "control/dispatch/lifecycle.h"
#include "control/dispatch/parking.h"
#include "control/sched/promises.h"
#include "control/state/txn.h"
#include "engine/task.h"

namespace yard::control {

struct StopRequest {
  WorkloadId workload;
  AttemptId attempt;  // the order is for this one only
  StopOrder order;
};

// A place that running work leaves for a waiting workload, which starts there next. All of it is
// committed or nothing.
struct PromiseOrder {
  Promise promise;
  std::vector<StopRequest> stops;      // of the victims that are not leaving yet
  std::vector<PromiseOrder> restarts;  // of work that leaves the place for another of its own
  std::string note;                    // of a restart: what changes, for its owner
};

struct Remark {
  WorkloadId workload;
  std::string reason;
  std::string message;
};

struct Cycle {
  std::vector<std::pair<AttemptId, Progress>> progress;
  std::vector<Moved> moved;         // what left its GPUs or came back, or could not
  std::vector<WorkloadId> returns;  // that find their own GPUs free
  std::vector<StartOrder> starts;
  std::vector<StopRequest> stops;
  std::vector<PromiseOrder> promises;
  std::vector<Remark> remarks;   // why something waits
  std::vector<Remark> failures;  // of waiting work that can never start
  std::vector<Remark> warnings;  // of running work
  std::vector<NodeId> drained;   // whose time of draining is over
  std::optional<std::vector<engine::NodeState>> nodes;
  std::optional<std::string> lost;  // why the cluster is out of contact

  bool empty() const {
    return progress.empty() && moved.empty() && returns.empty() && starts.empty() &&
           stops.empty() && promises.empty() && remarks.empty() && failures.empty() &&
           warnings.empty() && drained.empty() && !nodes && !lost;
  }
};

// Whose work it is.
struct CycleScope {
  ClusterId cluster;
  std::string engine;
};

// Whether the place can still be promised: somebody waits for it, or leaves another place for it,
// and all who are to leave it hold it. Pure.
bool CanPromise(const State& state, const Promise& promise);

// Whether the workload leaves its own place for the promised one. Pure.
bool IsRestart(const State& state, const Promise& promise);

// Reactor thread.
Status CommitCycle(Txn& txn, const CycleScope& scope, const Cycle& cycle);

}  // namespace yard::control
