// Gives promised places to those they were promised to. Internal to sched.
//
// A workload that others were evicted for starts on exactly the place that the plan gave it, as
// soon as the last of them has stopped. Until then whatever is free of the place is kept for it,
// so that nobody else, least of all the evicted, starts there. A promise lapses if a node of the
// place is out of service, if nobody leaves it any more and it is still not free, or if nobody
// could preempt the workload and a quota was lowered below what it needs.
#pragma once

#include "sched/decision.h"

namespace yard::sched {

// Before all other steps.
void KeepPromises(Decision& decision);

}  // namespace yard::sched
