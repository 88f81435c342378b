// Makes a plan true in a Scheduler, as if everything it asks for happened at once.
#pragma once

#include "base/result.h"
#include "sched/plan.h"
#include "sched/scheduler.h"

namespace yard::sched {

// Evicted workloads wait again, except those that were over their time: they end.
// Fails, half carried out, only if the plan was made for another state.
Status Carry(Scheduler& scheduler, const Plan& plan);

}  // namespace yard::sched
