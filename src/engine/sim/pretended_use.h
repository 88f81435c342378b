// What a simulated task seems to use of its machine: invented, and the same for the same task and
// time. Pure.
#pragma once

#include <optional>

#include "engine/task.h"

namespace yard::engine {

// Busy GPUs swing slowly around a level of the task's own; some tasks leave theirs nearly idle.
TaskUsage PretendedUse(const TaskSpec& spec, Time started, Time now);

// Adds the task's share to the GPUs that it has.
void AddPretendedUse(const TaskSpec& spec, Time started, Time now, NodeState& node);

}  // namespace yard::engine
