// Network folders of a task, mounted by mount(8) before anything of the task's own is mounted.
#pragma once

#include "shim/failure.h"

namespace yard::shim {

struct NetworkFolder {
  const char* source;
  bool read_only;
};

// Mounts it and hands out a descriptor of the detached mount. Call it in a mount namespace that the
// task never enters, with the task's folder as working directory: a program that mount(8) leaves
// behind (rpc.statd) stays there.
Failure MountNetworkFolder(const NetworkFolder& folder, int* tree);

}  // namespace yard::shim
