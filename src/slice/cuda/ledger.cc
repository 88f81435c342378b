#include "slice/cuda/ledger.h"

#include <time.h>

#include "slice/cuda/attach.h"
#include "slice/cuda/fault.h"

namespace yard::slice {
namespace {

constexpr std::uint64_t kStuckNs = 1'000'000'000;
constexpr std::uint64_t kMovingNs = 120'000'000'000;
constexpr int kMostWishes = 4;
constexpr std::uint64_t kLastPart = 1ULL << 30;
constexpr std::uint64_t kFreshNs = 50'000'000;

std::uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// Waits until the keeper has counted. A keeper that died while counting left the old sum, which
// is never too low, so after a second the count is called off.
void WaitForCount(Region& region) {
  const timespec pause{0, 20'000};
  std::uint64_t seen = region.recount.load();
  while ((seen & 1) != 0) {
    if (NowNs() > region.recount_since_ns.load() + kStuckNs)
      region.recount.compare_exchange_strong(seen, seen + 1);
    nanosleep(&pause, nullptr);
    seen = region.recount.load();
  }
}

class Window {
 public:
  explicit Window(Process& process) : slot_(*process.slot) {
    for (;;) {
      slot_.window.fetch_add(1);
      if ((process.region->recount.load() & 1) == 0) break;
      slot_.window.fetch_sub(1);
      WaitForCount(*process.region);
    }
    slot_.changes.fetch_add(1, std::memory_order_relaxed);
  }
  ~Window() { slot_.window.fetch_sub(1); }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

 private:
  Slot& slot_;
};

void NoteHigh(Gpu& gpu, std::uint64_t sum) {
  std::uint64_t high = gpu.high.load(std::memory_order_relaxed);
  while (high < sum && !gpu.high.compare_exchange_weak(high, sum)) {
  }
}

// True when this reservation reaches into the slice's last part, or beyond it, and the keeper has
// not looked at NVML since that began, or not lately: what the driver took on the side before has
// to be in the books.
bool NeedsLook(Process& process, int number, std::uint64_t bytes) {
  const Gpu& gpu = process.region->gpu[number];
  const std::uint64_t taken = gpu.used.load() + gpu.overhead.load(), hard = gpu.hard.load();
  if (bytes > hard) return false;
  const std::uint64_t now = NowNs(), looked = gpu.looked_ns.load();
  if (taken + bytes + kLastPart <= hard) {
    process.far_ns[number].store(now, std::memory_order_relaxed);
    return false;
  }
  return now > looked + kFreshNs ||
         looked <= process.far_ns[number].load(std::memory_order_relaxed);
}

bool Admit(Gpu& gpu, std::uint64_t bytes) {
  std::uint64_t used = gpu.used.load();
  do {
    const std::uint64_t taken = used + gpu.overhead.load();
    const std::uint64_t hard = gpu.hard.load();
    if (taken > hard || bytes > hard - taken) return false;
  } while (!gpu.used.compare_exchange_weak(used, used + bytes));
  NoteHigh(gpu, used + bytes);
  return true;
}

// Whether the slice may hold more than now, if the keeper finds room on the GPU.
bool MayGrow(const Gpu& gpu, std::uint64_t bytes) {
  const std::uint64_t limit = gpu.limit.load(), taken = gpu.used.load() + gpu.overhead.load();
  return limit > gpu.hard.load() && taken <= limit && bytes <= limit - taken;
}

bool Known(const Process& process, int gpu) {
  return Attached(process) && gpu >= 0 && gpu < kMaxGpus;
}

// Until the slice is back on its GPU, as every other call of a parked process waits. False: it took
// so long that something must be wrong.
bool WaitUntilHere(const Region& region) {
  const timespec pause{0, 10'000'000};
  for (std::uint64_t began = NowNs(); NowNs() < began + kMovingNs; nanosleep(&pause, nullptr))
    if (region.parking.load() == static_cast<std::uint64_t>(Parking::kHere)) return true;
  return false;
}

bool Grows(const Process& process, int gpu, std::uint64_t bytes) {
  const Answer answer = AskForRoom(gpu, bytes);
  if (answer == Answer::kParked) return WaitUntilHere(*process.region);
  return answer == Answer::kWelcome;
}

bool TryReserve(Process& process, int gpu, std::uint64_t bytes) {
  Window window(process);
  YARD_FAULT_POINT();
  process.slot->charged[gpu].fetch_add(bytes);
  YARD_FAULT_POINT();
  if (Admit(process.region->gpu[gpu], bytes)) {
    YARD_FAULT_POINT();
    return true;
  }
  process.slot->charged[gpu].fetch_sub(bytes);
  return false;
}

}  // namespace

bool Reserve(Process& process, int gpu, std::uint64_t bytes) {
  if (!Known(process, gpu)) return false;
  Gpu& shared = process.region->gpu[gpu];
  if (NeedsLook(process, gpu, bytes)) AskForLook(gpu, Holds::kAnything);
  // Others of the slice may take what was just granted, so ask again, but not for ever.
  for (int asked = 0; !TryReserve(process, gpu, bytes); ++asked) {
    if (asked < kMostWishes && MayGrow(shared, bytes) && Grows(process, gpu, bytes)) continue;
    shared.refused.fetch_add(1);
    return false;
  }
  return true;
}

void Force(Process& process, int gpu, std::uint64_t bytes) {
  if (!Known(process, gpu) || bytes == 0) return;
  Window window(process);
  process.slot->charged[gpu].fetch_add(bytes);
  YARD_FAULT_POINT();
  Gpu& shared = process.region->gpu[gpu];
  NoteHigh(shared, shared.used.fetch_add(bytes) + bytes);
}

void Release(Process& process, int gpu, std::uint64_t bytes) {
  if (!Known(process, gpu) || bytes == 0) return;
  Window window(process);
  process.slot->charged[gpu].fetch_sub(bytes);
  YARD_FAULT_POINT();
  process.region->gpu[gpu].used.fetch_sub(bytes);
  YARD_FAULT_POINT();
}

void Settle(Process& process, int gpu, std::uint64_t from, std::uint64_t to) {
  if (to > from) Force(process, gpu, to - from);
  if (to < from) Release(process, gpu, from - to);
}

bool OverLimit(const Process& process, int gpu) {
  if (!Known(process, gpu)) return false;
  const Gpu& shared = process.region->gpu[gpu];
  return shared.used.load() + shared.overhead.load() > shared.hard.load();
}

std::uint64_t RoomLeft(const Process& process, int gpu) {
  if (!Known(process, gpu)) return 0;
  const Gpu& shared = process.region->gpu[gpu];
  const std::uint64_t taken = shared.used.load() + shared.overhead.load();
  const std::uint64_t hard = shared.hard.load();
  return taken < hard ? hard - taken : 0;
}

bool CountSideMemory(Process& process, int gpu, Holds holds) {
  if (!Known(process, gpu) || !AskForLook(gpu, holds)) return true;
  return !OverLimit(process, gpu);
}

}  // namespace yard::slice
