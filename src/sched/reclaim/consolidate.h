// Moves running preemptible tasks together so that a waiting preemptible workload fits: a move is
// planned only if the moved task has a place elsewhere. Internal to sched.
//
// For each task that finds no place, the nodes nearest to fitting are tried; their tasks move off,
// the smallest first, until the waiting task fits. Nothing is evicted and no balance changes hands.
#pragma once

#include "sched/decision.h"

namespace yard::sched {

// At most Policy::max_moves moves in one plan.
void Consolidate(Decision& decision);

}  // namespace yard::sched
