// The control groups of one task: made before it, emptied and removed after it.
//
// v2 ("tree") follows and kills; limits are set where the controller lives, v2 or v1. A task
// without any is followed as this process's descendants, who cannot escape a subreaper.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "shim/failure.h"
#include "shim/spec.h"

namespace yard::shim {

// Makes the groups and sets the limits.
Failure MakeGroups(const Spec& spec);

// Moves the calling process in; for v1 groups, and for the tree when it was not born there.
enum class JoinWhat { kAll, kV1Only };
Failure JoinGroups(const Spec& spec, JoinWhat what);

// Kills everything that is left of the task, waits until it is gone, and removes the groups.
// `command` leads the task's process group; -1 if it was never started.
void EndGroups(const Spec& spec, pid_t command);

// Processes the kernel has killed for the memory limit.
std::int64_t CountOomKills(const Spec& spec);

}  // namespace yard::shim
