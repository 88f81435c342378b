// Somebody's first GPU before anybody's last, where GPUs are counted by person (nth GPU) and the
// policy says so. Internal to sched.
//
// A person who holds no GPU and asks for one or a part of one takes it from the person who holds
// most: the work that goes is preemptible, leaves its owner with a whole GPU at least, and is the
// youngest such. So nobody loses a first GPU, and whoever gave one away cannot take it back.
#pragma once

#include "sched/decision.h"

namespace yard::sched {

void GiveFirstGpus(Decision& decision);

}  // namespace yard::sched
