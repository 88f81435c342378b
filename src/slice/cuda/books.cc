#include "slice/cuda/books.h"

#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"
#include "slice/cuda/process.h"

namespace yard::slice::cuda {
namespace {

// Handles of memory are unique within a device only.
std::uint64_t KeyOf(std::uint64_t device, std::uint64_t memory) {
  const std::uint64_t key = memory ^ (device << 17 | device >> 47);
  return key == 0 ? 1 : key;
}

int GpuOf(const Uuid& uuid) {
  const Process& process = Self();
  if (!Attached(process)) return -1;
  for (unsigned i = 0; i < process.region->gpu_count && i < kMaxGpus; ++i)
    if (process.region->gpu[i].uuid == uuid) return static_cast<int>(i);
  return -1;
}

void Show(int gpu, std::uint64_t* total, std::uint64_t* free) {
  Process& process = Self();
  RefreshPools(process);
  *total = ShownTotal(process.region->gpu[gpu]);
  *free = FreeBytes(process.region->gpu[gpu]);
}

bool Enter(int gpu) {
  Process& process = Self();
  process.renders.store(1);
  return CountSideMemory(process, gpu, Holds::kAnything);
}

void Leave(std::uint64_t device) {
  Process& process = Self();
  Charge gone;
  for (std::size_t at = 0; process.rendered.TakeOf(device, &at, &gone);)
    Release(process, gone.gpu, gone.bytes);
}

bool ReserveFor(int gpu, std::uint64_t bytes) {
  return ReserveOrTrim(Self(), gpu, bytes);
}

void ReleaseOf(int gpu, std::uint64_t bytes) {
  Release(Self(), gpu, bytes);
}

void Keep(int gpu, const RenderedMemory& memory) {
  Process& process = Self();
  const Charge entry{.key = KeyOf(memory.device, memory.memory),
                     .bytes = memory.bytes,
                     .gpu = static_cast<std::int16_t>(gpu),
                     .kind = Kind::kRendered,
                     .context = memory.device};
  if (!process.rendered.Put(entry)) Release(process, gpu, memory.bytes);
}

std::uint64_t Forget(std::uint64_t device, std::uint64_t memory) {
  Charge entry;
  return Self().rendered.Take(KeyOf(device, memory), &entry) ? entry.bytes : 0;
}

constexpr Books kBooks = {GpuOf, Show, Enter, Leave, ReserveFor, ReleaseOf, Keep, Forget};

}  // namespace
}  // namespace yard::slice::cuda

// NOLINTNEXTLINE(readability-identifier-naming): exported beside the driver's own names
extern "C" [[gnu::visibility("default")]] const yard::slice::Books* cuGpuyardBooks() {
  return &yard::slice::cuda::kBooks;
}
