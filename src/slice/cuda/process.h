// This process's membership in its slice.
//
// The whole state lies in pages the kernel wipes at fork, so that a child starts detached and
// registers for itself; nothing is inherited, nothing needs a fork handler.
// Threads: any.
#pragma once

#include <atomic>
#include <cstdint>

#include "slice/cuda/once.h"
#include "slice/cuda/ptr_map.h"
#include "slice/protocol.h"
#include "slice/region.h"

namespace yard::slice {

namespace cuda {
struct Streams;
struct StreamMark;
}  // namespace cuda

struct Pool {
  std::uint64_t handle = 0;
  std::uint64_t charged = 0;  // what this pool holds of the slice
  std::uint64_t live = 0;     // bytes of allocations not yet freed
  std::uint64_t loose = 0;    // freed and not yet taken again
  std::uint64_t unsure = 0;   // what it may have grown by beyond its charge
  int in_flight = 0;          // allocations between reservation and settlement
  int gpu = 0;                // -1: not device memory, or another process pays
  bool spills = false;        // plain memory may stand in for the pool's (pool.h)
  bool leaving = false;       // is being destroyed
  unsigned changes = 0;       // counts what may make a figure of the driver's an old one
  int users = 0;              // calls of ours to the driver that name it
};

inline constexpr int kMaxPools = 256;
inline constexpr int kMaxDevices = 64;

// One allocation made by cuMemCreate: charged until it has neither handles nor mappings.
struct Physical {
  std::uint64_t bytes;
  std::uint32_t handles;
  std::uint32_t maps;
  int gpu;
  std::uint32_t next_free;
};

struct alignas(64) Process {
  enum Phase : unsigned { kDetached, kAttached, kRefused };
  Once attach;
  std::atomic<unsigned> phase;
  Region* region;
  Slot* slot;
  // Compute share only (gate.h); here, since a launch finds it in the line it has read already.
  std::atomic<cuda::StreamMark*> last_mark;  // of the stream launched on last
  std::atomic<cuda::Streams*> streams;
  Once streams_made;
  std::atomic<int> gpu_of_device[kMaxDevices];  // 0: not asked yet; -1: none; else number + 1

  PtrMap pointers;                // linear, pitched, managed, pool memory
  PtrMap blocks;                  // of 2 MiB: how many allocations share each
  PtrMap objects;                 // arrays, contexts, external memory
  PtrMap handles;                 // VMM handle -> physical
  PtrMap ranges;                  // VMM mapping -> physical
  PtrMap rendered;                // memory of Vulkan devices (books.h)
  std::atomic<unsigned> renders;  // 1: it has made a Vulkan device, ever

  // When memory was last reserved while the slice's last part was not touched yet.
  std::atomic<std::uint64_t> far_ns[kMaxGpus];

  SpinLock pool_lock;
  std::atomic<int> pool_count;
  Pool pools[kMaxPools];
  int last_pool;             // found last; guarded by pool_lock
  unsigned current_changes;  // of the device's current pool, ever; guarded by pool_lock
  std::atomic<std::uint64_t> current_pool;  // of the only device; 0: to be asked
  std::atomic<unsigned> captures;           // of graphs, on their way (capture.h)

  SpinLock physical_lock;
  Physical* physical;
  std::uint32_t physical_capacity, physical_free;

  std::atomic<std::uint64_t> graph_charged[kMaxGpus];
  std::atomic<std::uint64_t> graph_pending[kMaxGpus];
  std::atomic<unsigned> has_graph_memory;
  std::atomic<std::int64_t> primary[kMaxDevices];  // how often it was retained here
  std::atomic<std::uint64_t> primary_context[kMaxDevices];
  std::atomic<std::uint64_t> departures;  // of contexts (context.cc)
};

// Attaches at the first call. Never null; `region` is null when there is no slice or no keeper.
Process& Self();

// The same without attaching as a process: for readers such as the NVML twin.
Process& Observer();

inline bool Attached(const Process& process) {
  return process.phase.load(std::memory_order_acquire) == Process::kAttached;
}

// True in a slice with a compute share.
bool HasShare();

}  // namespace yard::slice
