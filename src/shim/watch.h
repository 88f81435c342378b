// Watches over one task from its start to its end; the whole life of a shim.
#pragma once

namespace yard::shim {

// The current folder is the task's. Returns the exit status of the shim: 0 if the end is on
// record or another shim has the task.
int WatchTask();

}  // namespace yard::shim
