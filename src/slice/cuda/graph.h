// Memory that CUDA graphs allocate when they run.
//
// Nothing is charged when a node is added or captured; before an upload or launch the nodes added
// since the last one are reserved, and afterwards the charge becomes what the driver holds for
// graphs on that device. What was refused is asked for again only by the graph that wanted it.
// In a process without such nodes and without a compute share a graph launch is one load and a
// jump to the driver.
#pragma once

#include "slice/cuda/process.h"

namespace yard::slice::cuda {

// From now on this process's graph launches are looked at.
void WatchGraphs();

void NoteGraphMemory(Process& process, int gpu, std::uint64_t bytes);

}  // namespace yard::slice::cuda
