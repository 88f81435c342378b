// What a plain task uses, from its control groups, or from /proc where it has none.
#pragma once

#include <string>
#include <vector>

#include "engine/local/native/cgroups.h"
#include "engine/task.h"

namespace yard::engine {

struct ProcessUse {
  TaskUsage usage;
  std::vector<int> pids;  // all of the task
};

// `command` leads the task; its descendants are looked for where no group lists them.
ProcessUse ReadUse(const Cgroups::Places& places, const TaskKey& key, int command);

// When a process was born: "<boot id>/<ticks>". Empty if there is none.
std::string BirthOf(int pid);

// The processes in the session of `leader`, by /proc.
std::vector<int> SessionOf(int leader);

}  // namespace yard::engine
