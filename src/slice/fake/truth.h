// The fake GPU's memory as it "really" is, shared by every process that loads the fake driver.
//
// FOR TESTS ONLY; nothing here touches hardware. A file named by YARD_FAKE_GPU holds it. A process
// owns one entry; readers leave out the entries of processes that have ended, as a kernel would.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace yard::slice::fake {

inline constexpr int kEntries = 1024;
inline constexpr std::uint64_t kTotal = 48ULL << 30;
inline constexpr std::uint64_t kReserved = 512ULL << 20;
inline constexpr std::uint64_t kContextBytes = 300ULL << 20;
inline constexpr const char* kName = "Gpuyard Fake GPU (no hardware)";
inline constexpr const char* kUuidText = "GPU-fa4e0000-0000-0000-0000-000000000001";
// With YARD_FAKE_MIG=N the fake GPU is in MIG mode and has N instances; their ids end in 1, 2, …
inline constexpr const char* kMigUuidText = "MIG-fa4e0000-0000-0000-0000-0000000000a";
inline constexpr std::uint64_t kMigBytes = 10ULL << 30;
inline constexpr const char* kPciBusId = "00000000:3B:00.0";
// With YARD_FAKE_TWIN set NVML has a second GPU, which nobody uses.
inline constexpr const char* kTwinUuidText = "GPU-fa4e0000-0000-0000-0000-000000000002";
inline constexpr const char* kTwinPciBusId = "00000000:5E:00.0";
inline constexpr unsigned char kUuid[16] = {0xfa, 0x4e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

// What a test said by this variable of the environment; null: nothing. Empty is nothing too, so
// that a test can take it back without moving the environment under a thread that looks at it.
inline const char* Said(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

struct TruthEntry {
  std::atomic<std::uint64_t> pid;
  std::atomic<std::uint64_t> bytes;
  std::atomic<std::uint64_t> done;    // kernels finished
  std::atomic<std::uint64_t> parked;  // bytes a checkpoint moved to the host
  std::atomic<std::uint64_t> locked;  // 1 while a checkpoint holds the process
};

struct Truth {
  std::atomic<std::uint64_t> busy_until_ns;  // the one engine's queue, over all processes
  std::atomic<std::uint64_t> taken;          // of all; the dead give nothing back here
  std::atomic<std::uint64_t> most_taken;     // the most it has been
  TruthEntry entries[kEntries];
};

// Maps the file; makes it if it is not there. Never null.
Truth& Shared();
// This process's entry.
TruthEntry& Own();
// Sum over living processes.
std::uint64_t UsedByAll();
bool IsAlive(std::uint64_t pid);
std::uint64_t NowNs();

}  // namespace yard::slice::fake
