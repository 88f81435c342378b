// Stream-ordered memory: what counts is what a pool holds, not what was asked of it.
//
// A pool takes memory from the GPU in chunks and keeps it after a free, so its charge follows the
// driver's own figure for the pool, read after each call that may have taken more.
// When the slice has no room for another chunk but has for the bytes asked, they are taken as
// linear memory instead (a spill), so that the last chunk of a slice is not lost. Not for pools
// that other processes or GPUs may reach: their memory must be the pool's own.
// Threads: any; the pool table's lock is never held across a driver call.
#pragma once

#include "slice/cuda/cuda_abi.h"
#include "slice/cuda/process.h"

namespace yard::slice::cuda {

// Reserves; when the slice is full, first gives back what this process's pools hold unused.
bool ReserveOrTrim(Process& process, int gpu, std::uint64_t bytes);

// A pool allocation was freed at once, or in stream order, when the pool gives nothing back yet.
void PoolFreed(Process& process, const Charge& entry);
void PoolFreedLater(Process& process, const Charge& entry);

// Brings every pool's charge up to date.
void RefreshPools(Process& process);

}  // namespace yard::slice::cuda
