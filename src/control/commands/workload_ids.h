// Making a workload whose id was chosen beforehand, so that it is made only once however often that
// is tried.
#pragma once

#include "base/result.h"
#include "control/commands/workloads.h"
#include "control/state/txn.h"
#include "model/workload.h"

namespace yard::control {

// As CreateWorkload. No workload may have the id. Reactor thread.
Result<Ptr<Workload>> CreateWorkloadWithId(Txn& txn, WorkloadDraft draft, WorkloadId id);

}  // namespace yard::control
