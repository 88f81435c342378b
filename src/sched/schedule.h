// The pure decision: snapshot in, plan out. Same input, same plan, byte for byte.
#pragma once

#include "base/result.h"
#include "sched/plan.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sched {

// An error names the table, row and field of the first impossible value. For many decisions on
// one changing cluster use Scheduler (scheduler.h), which gives the same plans.
Result<Plan> Schedule(const Snapshot& snapshot, const Policy& policy);

}  // namespace yard::sched
