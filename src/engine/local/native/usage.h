// What a plain task uses, from its control groups, or from /proc where it has none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/local/native/cgroups.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/task.h"

namespace yard::engine {

// `pids` are all of the task.
TaskUsage ReadUse(const Cgroups::Places& places, const TaskKey& key, std::span<const int> pids);

// When a process was born: "<boot id>/<ticks>". Empty if there is none.
std::string BirthOf(int pid);
// Whether the command's number is still its own, and was not given to another process.
bool IsItself(const TaskRecord& record);

// The processes in the session of `leader`, by /proc.
std::vector<int> SessionOf(int leader);
// Whether one of them is more than an entry that nobody has waited for.
bool HasLiveSession(int leader);

}  // namespace yard::engine
