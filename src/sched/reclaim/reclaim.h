// Fairness between queues, and priority inside a project. Internal to sched.
//
// Reclaim: a queue that stays within its fair share may take from queues that hold more than
// theirs; a queue that stays within its quota may take from queues above theirs. Queues are
// compared where their paths part. Afterwards, a reclaimer above its share must be less saturated
// than the queue it took from, so that nothing swings back. Nobody is taken from before the min
// runtime of its queue.
//
// Preempt: a workload may take from preemptible workloads of strictly lower priority of its own
// project.
//
// Room is made beside the places that protected heads wait for. Only two claims take such a place:
// work within its guaranteed quota, where there is no other way, and work of higher priority of the
// head's own project. Both would take it from the head if it ran.
//
// Neither happens between workloads that first come, first served or nth GPU ranks: such an order
// knows no shares and no priorities, and would only start again what was stopped for them.
#pragma once

#include "sched/decision.h"

namespace yard::sched {

void Reclaim(Decision& decision);
void Preempt(Decision& decision);

// Until when running work is guarded: from giving way to other queues (kReclaim), to work of its
// own project (kPreempt) or to the owner of a reservation; and always while it is spared.
Time GuardEnd(const Core& core, const Workload& running, Rule rule);

// Goes through the waiting lines in the order of fairness, pool by pool: those worth it are tried;
// a try that starts something advances the walk itself.
using LineTest = bool (*)(Decision&, LineIndex, PoolIndex);
using LineTry = bool (*)(Decision&, LineIndex, PoolIndex, Walk&);
void ForAllLines(Decision& decision, LineTest worth, LineTry attempt);

}  // namespace yard::sched
