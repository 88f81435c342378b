// Which GPU of the slice a device ordinal or the current context means. By UUID, never by index.
#pragma once

#include "slice/cuda/cuda_abi.h"
#include "slice/cuda/process.h"

namespace yard::slice::cuda {

// The GPU's number in the region; -1 if it is not part of the slice.
int GpuOfDevice(Process& process, Device device);

// The device of the calling thread's context. False if there is none: the driver will say why.
bool CurrentDevice(Device* out);

// The calling thread's context as a number; 0 if there is none.
std::uint64_t CurrentContext();

// The GPU of the calling thread's context; -1 if unknown or not part of the slice. `has_context`
// tells the two apart.
struct Current {
  bool has_context;
  int gpu;
  Device device;
};
Current CurrentGpu(Process& process);

}  // namespace yard::slice::cuda
