// Commands on attempts, for the driver and for the commands on workloads. They check no
// permission: who calls them has.
//
// Invariants kept here: a workload has at most one attempt that has not ended, the newest; an
// attempt gets one end, and one order to stop: the first. Reactor thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "control/dispatch/lifecycle.h"
#include "control/state/txn.h"
#include "model/attempt.h"
#include "model/workload.h"

namespace yard::control {

// Where a workload is to run.
struct StartOrder {
  WorkloadId workload;
  ClusterId cluster;
  NodePoolId pool;
  std::vector<TaskPlace> places;  // by rank
};

// Whether the workload waits for a place, or would if nobody held it. Pure.
bool Waits(const State& state, const Workload& workload);

// Makes the next attempt and moves the workload to Initializing.
Status PlaceAttempt(Txn& txn, StartOrder order);

// Records an order to stop the workload's open attempt; does nothing if there is none or it has
// an order already.
void OrderStop(Txn& txn, const Workload& workload, StopOrder order);

// Records what was learned about an attempt; what is recorded already is left as it is.
void RecordProgress(Txn& txn, AttemptId attempt, const Progress& progress);

}  // namespace yard::control
