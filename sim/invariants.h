// What must hold after every decision of a run, whatever the input.
//
// No GPU is booked twice; non-preemptible work stays within the quota and all work within the
// limit of its queues; a gang runs whole; nobody is disturbed in no-preemption mode and
// non-preemptible work never; a job that has arrived waits, runs or has ended; a plan that has
// come to rest leaves nobody waiting while a permitted place is free (not under backfill).
// Thread rule: pure functions.
#pragma once

#include "base/result.h"
#include "sim/run.h"

namespace yard::sim {

// The error says which one is broken, by whom.
Status CheckInvariants(const Step& step);

}  // namespace yard::sim
