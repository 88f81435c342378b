// One decision: the actions in order, the least disruptive first.
//
//   rules of time -> allocate -> consolidate -> reserved -> reclaim -> preempt -> grow
//
// Everything happens in a Trial on the Core, so that later steps see earlier ones; at the end the
// Core is as before and the Plan remains.
#pragma once

#include "sched/core/core.h"
#include "sched/plan.h"

namespace yard::sched {

Plan Decide(Core& core);

struct Decision;
// All steps; leaves plan and refusals in the decision and the Core as it was.
void RunSteps(Decision& decision);
// The reason from the pool where the line came closest to starting; the first pool on a tie.
Reason DominantReason(Decision& decision, LineIndex line);

}  // namespace yard::sched
