// The processes of a container, where no control group of ours lists them.
#pragma once

#include <vector>

#include "engine/local/tasks/task_folder.h"

namespace yard::engine::containers {

// Those that number processes as `first` does: a container has a space of its own for that. If it
// has none, or we may not look, those in the session of `first`.
std::vector<int> ProcessesBeside(int first);
// Beside the task's first process; none if it is gone, also where another has its number by now.
std::vector<int> ProcessesBeside(const TaskRecord& record);

}  // namespace yard::engine::containers
