// The memory that one slice's processes and its keeper share: limits, sums, slots and gates.
//
// A slice is one workload's part of one or more GPUs on one node. The keeper (agent/) makes the
// region in a sealed memfd and hands it to each process that registers; the stand-in driver
// library (shim/) counts in it.
//
// Invariants:
//  - `Gpu::used` equals the sum of `Slot::charged` over owned slots whenever no process is inside
//    a window (`Slot::window` is zero everywhere). Nothing ever patches the sum after a death: it
//    is counted again while `Region::recount` is odd.
//  - A slot never moves; its owner word changes only in the keeper.
//  - Limits, shares and gates are written by the keeper alone.
//
// Threads: every field that changes after creation is an atomic; no locks, so that a process
// killed at any instruction leaves nothing held. The layout is fixed: a change is a new kAbi.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace yard::slice {

inline constexpr std::uint64_t kRegionMagic = 0x31454349'4c535947;  // "GYSLICE1"
inline constexpr std::uint32_t kRegionAbi = 1;
inline constexpr int kMaxGpus = 16;
inline constexpr int kMaxSlots = 512;
inline constexpr std::uint64_t kGranule = 2ULL << 20;  // what the driver takes memory in

using Word = std::atomic<std::uint64_t>;
using Word32 = std::atomic<std::uint32_t>;

enum class ShareMode : std::uint32_t { kNone = 0, kStrict = 1, kFair = 2, kInteractive = 3 };

// Where the slice's processes have their device memory.
enum class Parking : std::uint64_t {
  kHere = 0,    // on the GPU
  kMoving = 1,  // on the way to the host or back: its part is its own, nobody joins
  kAway = 2,    // in host memory: others may have its part, nobody joins
};

struct Uuid {
  std::uint8_t bytes[16];
};

struct alignas(64) Gpu {
  Uuid uuid;
  std::uint64_t physical;  // bytes of the whole GPU, as the driver shows them
  Word hard;               // what may be held now, in bytes; may change while processes run
  Word soft;               // the request: `hard` is never below it
  Word context_bytes;      // what one context of this GPU and driver costs
  Word refused;            // allocations turned away
  Word limit;              // what `hard` may be raised to while there is room; shown as the total
  alignas(64) Word used;   // sum of all reservations: what admission looks at
  Word high;               // the most that sum has been since the last audit began
  alignas(64) Word overhead;  // what the driver took beyond the reservations, by NVML
  Word room;                  // what the keeper could add to `hard` now
  Word looked_ns;             // when the last audit began
  alignas(64) Word32 gate;    // 0: launches run; else the number of the closing
  Word32 share_milli;         // compute share in thousandths of the GPU
  Word gate_deadline_ns;      // a gate older than this is open again: the keeper is gone
  Word lease_ns;              // time this slice held the GPU
  Word32 brief;               // 1: the GPU must be left soon after the gate closes
};

struct alignas(64) Slot {
  Word owner;              // host pid << 32 | generation; 0: free
  Word start_time;         // of the process, from /proc, so that a pid is never mistaken
  Word inner_pid;          // the pid as the process itself sees it
  Word window;             // threads between the two halves of one reservation
  Word charged[kMaxGpus];  // reserved and allocated bytes
  Word contexts[kMaxGpus];
  Word launches[kMaxGpus];    // how often it began to launch; only with a compute share
  Word active[kMaxGpus];      // 1: work may be queued on the GPU
  Word drained[kMaxGpus];     // the last gate number whose work has left the GPU
  Word drained_ns[kMaxGpus];  // and when that was seen
  Word waiting;               // threads that wait for the GPU; only with a compute share
  Word changes;               // of `charged`, ever
};

struct Region {
  std::uint64_t magic;
  std::uint32_t abi;
  std::uint32_t size;
  std::uint32_t gpu_count;
  ShareMode share_mode;
  std::uint64_t slice;       // the keeper's number for it
  alignas(64) Word recount;  // odd: the sums are being counted; wait
  Word recount_since_ns;
  Word keeper_beat_ns;
  Word parking;                 // a Parking
  alignas(64) Word32 any_gate;  // nonzero: look at the gate of your GPU
  Gpu gpu[kMaxGpus];
  Slot slot[kMaxSlots];
};

static_assert(Word::is_always_lock_free && sizeof(Word) == 8 && Word32::is_always_lock_free);
static_assert(sizeof(Gpu) == 256 && offsetof(Gpu, hard) == 24 && offsetof(Gpu, used) == 64);
static_assert(offsetof(Gpu, limit) == 56 && offsetof(Gpu, room) == 136);
static_assert(offsetof(Gpu, overhead) == 128 && offsetof(Gpu, gate) == 192 &&
              offsetof(Gpu, brief) == 216);
static_assert(sizeof(Slot) == 832 && offsetof(Slot, charged) == 32);
static_assert(offsetof(Region, recount) == 64 && offsetof(Region, gpu) == 192);
static_assert(offsetof(Region, parking) == 88 && offsetof(Region, any_gate) == 128);
static_assert(offsetof(Region, slot) == 192 + 16 * 256);
static_assert(sizeof(Region) == 192 + 16 * 256 + 512 * 832);

inline bool operator==(const Uuid& a, const Uuid& b) {
  for (int i = 0; i < 16; ++i)
    if (a.bytes[i] != b.bytes[i]) return false;
  return true;
}

// What a memory reader sees as the GPU's size.
inline std::uint64_t ShownTotal(const Gpu& gpu) {
  const std::uint64_t hard = gpu.hard.load(std::memory_order_relaxed);
  const std::uint64_t limit = gpu.limit.load(std::memory_order_relaxed);
  return limit > hard ? limit : hard;
}

// And as taken, never more than the total.
inline std::uint64_t TakenBytes(const Gpu& gpu) {
  const std::uint64_t taken =
      gpu.used.load(std::memory_order_relaxed) + gpu.overhead.load(std::memory_order_relaxed);
  const std::uint64_t total = ShownTotal(gpu);
  return taken < total ? taken : total;
}

// And as free: never negative, never more than the total.
inline std::uint64_t FreeBytes(const Gpu& gpu) {
  const std::uint64_t total = ShownTotal(gpu);
  const std::uint64_t may =
      gpu.hard.load(std::memory_order_relaxed) + gpu.room.load(std::memory_order_relaxed);
  const std::uint64_t most = may < total ? may : total;
  const std::uint64_t taken = TakenBytes(gpu);
  return taken >= most ? 0 : most - taken;
}

}  // namespace yard::slice
