// What the Vulkan layer (vulkan/) asks the stand-in for libcuda.so.1 of the same process, which
// alone is a member of the slice: both count in one slot, and memory that goes from one to the
// other is counted once.
//
// The layer finds the table by the exported function kBooksName. Both libraries are of one build.
// Threads: any.
#pragma once

#include <cstdint>

#include "slice/region.h"

namespace yard::slice {

inline constexpr const char* kBooksName = "cuGpuyardBooks";

struct RenderedMemory {
  std::uint64_t device;  // VkDevice
  std::uint64_t memory;  // VkDeviceMemory
  std::uint64_t bytes;
};

struct Books {
  // The number of the GPU in the slice; -1 if it is not of it, or no keeper has let the process in.
  int (*gpu_of)(const Uuid& uuid);
  // Total and free bytes of the slice's part, as CUDA shows them.
  void (*show)(int gpu, std::uint64_t* total, std::uint64_t* free);
  // The driver made a device. False: the slice holds more than it may by now.
  bool (*enter)(int gpu);
  // The device is gone, and what was not freed with it.
  void (*leave)(std::uint64_t device);
  // Before the driver is asked for memory. False: there is no room.
  bool (*reserve)(int gpu, std::uint64_t bytes);
  void (*release)(int gpu, std::uint64_t bytes);
  // What was reserved has become this memory.
  void (*keep)(int gpu, const RenderedMemory& memory);
  // It is about to be freed: how many bytes of it are reserved; 0: it was never kept.
  std::uint64_t (*forget)(std::uint64_t device, std::uint64_t memory);
};

using BooksFunction = const Books* (*)();

}  // namespace yard::slice
