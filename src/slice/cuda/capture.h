// Captures of graphs on their way in this process.
//
// An allocation of a stream that captures is a node of a graph and takes no memory yet. The driver
// says whether a stream does; it is asked only while there are captures at all.
// Threads: any.
#pragma once

#include "slice/cuda/cuda_real.h"
#include "slice/cuda/process.h"

namespace yard::slice::cuda {

inline bool IsCapturing(Entry ask, Handle stream) {
  int status = 0;
  return Call(ask, stream, &status) == kOk && status != 0;
}

// `ask` is the form of cuStreamIsCapturing that means the same stream by 0 as the caller does.
inline bool Captures(const Process& process, Entry ask, Handle stream) {
  return process.captures.load(std::memory_order_relaxed) != 0 && IsCapturing(ask, stream);
}

}  // namespace yard::slice::cuda
