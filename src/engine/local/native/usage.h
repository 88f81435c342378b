// What a plain task uses, from its control groups, or from /proc where it has none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/local/native/cgroups.h"
#include "engine/task.h"

namespace yard::engine {

// `pids` are all of the task.
TaskUsage ReadUse(const Cgroups::Places& places, const TaskKey& key, std::span<const int> pids);

// When a process was born: "<boot id>/<ticks>". Empty if there is none.
std::string BirthOf(int pid);

// The processes in the session of `leader`, by /proc.
std::vector<int> SessionOf(int leader);

}  // namespace yard::engine
