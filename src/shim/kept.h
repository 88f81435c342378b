// What a task has left in its folder, as a tar stream, while it runs and after its end.
//
// The task may have put anything there. So the folder is opened part by part without following a
// link, nothing above it can be reached, and everything in it is read with the rights of the
// account that the folder belongs to. One thread.
#pragma once

#include "shim/pack.h"

namespace yard::shim {

// `place` is `work` or `outputs/<name>` below the working directory, which is the task's folder;
// `path` is below it, empty for all of it. The exit code: 0, or 1 with a complaint.
// A place that is not there was empty at the end of the task and has been removed.
int PackKept(const char* place, const char* path, PackWhat what);

// The same for a task whose folder has been removed since it was empty.
int PackNothing(const char* path);

}  // namespace yard::shim
