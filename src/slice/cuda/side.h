// Memory that a context takes beside what programs allocate, and the way to notice it.
//
// Threads: any.
#pragma once

#include <cstdint>

#include "slice/cuda/cuda_abi.h"
#include "slice/cuda/process.h"

namespace yard::slice::cuda {

// One charge of each kind a context; it goes with the context.
enum class Side : std::uint64_t { kStack = 1, kPrintf = 2, kHeap = 3, kLocal = 4 };

// Raises the current context's charge to that many bytes, if it is lower. False: no room.
bool RaiseSide(Process& process, int gpu, Side side, std::uint64_t bytes);
// Changes it by so much, never below nothing. False: no room.
bool ChangeSide(Process& process, int gpu, Side side, std::int64_t bytes);

// How many threads the GPU can run at one time.
std::uint64_t ResidentThreads(Device device);

// Stands around a call of the driver that may take memory of unknown size.
class SideWatch {
 public:
  SideWatch(Process& process, int gpu);
  // If the GPU has less free memory than before, has the keeper count. False: the slice holds more
  // than it may.
  bool Fits() const;
  // The same for a call for which so much was reserved.
  bool FitsBeside(std::uint64_t reserved) const;

 private:
  Process& process_;
  int gpu_;
  std::uint64_t free_before_;
};

}  // namespace yard::slice::cuda
