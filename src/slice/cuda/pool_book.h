// The books of this process's pools: which there are, what each holds, and what is reserved before
// the driver is asked for memory of one.
//
// The driver takes memory for a pool in chunks, and may take some though the pool seems to have
// room: what is free in it can be in pieces. So much as an allocation could make a pool grow is
// reserved beforehand, unless the slice has room for many such growths: then it is noted as unsure
// and the driver is asked what the pool holds before that could matter.
// Threads: any; the table's lock is never held across a driver call.
#pragma once

#include "slice/cuda/cuda_abi.h"
#include "slice/cuda/process.h"

namespace yard::slice::cuda {

enum class Growth { kNone, kReserved, kRefused };

// One allocation of a pool between its reservation and the driver's answer.
struct Flight {
  int number = -1;  // of the pool; -1: nothing of it is counted
  Growth growth = Growth::kNone;
};

// A refused flight has ended.
Flight BeginFlight(Process& process, Handle pool, std::uint64_t bytes);
// The driver has answered, and has given so many bytes. True if it is time to ask what the pool
// holds: it may have grown though there seemed to be room, or shrunk at a synchronisation.
bool EndFlight(Process& process, const Flight& flight, std::uint64_t bytes);

// -1 if nobody has seen it yet.
int FindPool(Process& process, Handle pool);
// Reuses the place of a destroyed pool; -1 when the table is full (such a pool is not charged but
// NVML sees it). A pool that another thread has added meanwhile keeps its place.
int AddPool(Process& process, const Pool& pool);
bool HasOneGpu(const Process& process);

// Makes the charge equal to what the driver says the pool holds. While other allocations are on
// their way, or since the driver was asked, their reservations stay. True if it holds more than was
// reserved.
bool SettlePool(Process& process, int number);

// Gives back what the pool holds unused, if it is of that GPU.
void TrimPool(Process& process, int number, int gpu);

// So many bytes of a pool are no longer in use.
void TakeLive(Process& process, int number, std::uint64_t bytes);

// Nobody begins to use it from now on; waits for those who do.
void BeginLeaving(Process& process, int number);
// The driver's answer to its destruction.
void EndLeaving(Process& process, int number, Result result);

// Where the calling thread's allocations without a pool come from; null if that is not known.
Handle CurrentPool(Process& process);
// It may be another one from now on.
void ForgetCurrentPool(Process& process);

}  // namespace yard::slice::cuda
