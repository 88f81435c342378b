// Admission: a byte is reserved in the slice before the driver is asked for it.
//
// Reserve and Release change the process's slot and the slice's sum inside one window; a process
// killed between the two leaves a slot that no longer matches the sum, and the keeper, who sees
// the death, counts the sum again. Nothing waits while a window is open.
// The last part of a slice is given out only while the keeper's reading of NVML is fresh, so that
// what the driver took on the side is in the books before the slice is full.
// Threads: any; lock-free except while the keeper counts (microseconds) and when a slice is near
// its cap: then the keeper is asked.
#pragma once

#include <cstdint>

#include "slice/cuda/attach.h"
#include "slice/cuda/process.h"

namespace yard::slice {

inline std::uint64_t RoundUp(std::uint64_t n, std::uint64_t to) {
  return (n + to - 1) / to * to;
}

// False: the slice is full (or the GPU is not in it). The caller answers "out of memory".
bool Reserve(Process& process, int gpu, std::uint64_t bytes);

// Charges what already happened, over the limit if need be.
void Force(Process& process, int gpu, std::uint64_t bytes);

void Release(Process& process, int gpu, std::uint64_t bytes);

// Frees a charged object by `drop`, which answers a driver's result (0: done). Only what the driver
// has dropped is released.
template <class Drop>
auto DropCharged(void* object, Drop drop) {
  Process& process = Self();
  Charge entry;
  const bool known = process.objects.Take(reinterpret_cast<std::uint64_t>(object), &entry);
  const auto result = drop();
  if (!known) return result;
  if (result == decltype(result){})
    Release(process, entry.gpu, entry.bytes);
  else
    process.objects.Put(entry);
  return result;
}

// Moves a charge from `from` to `to` bytes after the driver has said what it really took.
void Settle(Process& process, int gpu, std::uint64_t from, std::uint64_t to);

bool OverLimit(const Process& process, int gpu);
// Bytes that may still be reserved.
std::uint64_t RoomLeft(const Process& process, int gpu);

// After the driver took memory of unknown size: has the keeper count it. False: the slice holds
// more than it may by now, so whoever took it gives it back.
bool CountSideMemory(Process& process, int gpu, Holds holds);

}  // namespace yard::slice
