// Memory that CUDA graphs allocate when they run.
//
// Nothing is charged when a node is added or captured; before an upload or launch the nodes added
// since the last one are reserved, and afterwards the charge becomes what the driver holds for
// graphs on that device. A process without such nodes pays one load per graph launch.
#pragma once

#include "slice/shim/process.h"

namespace yard::slice::cuda {

void NoteGraphMemory(Process& process, int gpu, std::uint64_t bytes);

}  // namespace yard::slice::cuda
