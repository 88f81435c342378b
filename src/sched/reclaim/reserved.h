// Takes back what an open reservation keeps for its owner. Internal to sched.
//
// Preemptible work of others may run on reserved GPUs until somebody of the owner needs them: then
// it goes, whatever its share, priority or age, those most above their share first. Work that
// another reservation keeps a place for stays.
#pragma once

#include "sched/decision.h"

namespace yard::sched {

void ClaimReserved(Decision& decision);

}  // namespace yard::sched
