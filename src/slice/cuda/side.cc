#include "slice/cuda/side.h"

#include "slice/cuda/cuda_real.h"
#include "slice/cuda/device.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"

namespace yard::slice::cuda {
namespace {

// Contexts are aligned, so that these numbers beside one are nobody's.
std::uint64_t KeyOf(std::uint64_t context, Side side) {
  return context + static_cast<std::uint64_t>(side);
}

std::uint64_t RealFree() {
  std::size_t free = 0, total = 0;
  return Call(k_cuMemGetInfo_v2, &free, &total) == kOk ? free : 0;
}

}  // namespace

bool ChangeSide(Process& process, int gpu, Side side, std::int64_t bytes) {
  const std::uint64_t context = CurrentContext();
  Charge charge;
  if (!process.objects.Take(KeyOf(context, side), &charge))
    charge = {.key = KeyOf(context, side),
              .gpu = static_cast<std::int16_t>(gpu),
              .kind = Kind::kModule,
              .context = context};
  const auto more = bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
  const auto less = bytes < 0 ? static_cast<std::uint64_t>(-bytes) : 0;
  const bool ok = more == 0 || ReserveOrTrim(process, gpu, RoundUp(more, kGranule));
  if (ok) charge.bytes += RoundUp(more, kGranule);
  const std::uint64_t given_back = less < charge.bytes ? less / kGranule * kGranule : charge.bytes;
  if (less > 0) {
    Release(process, gpu, given_back);
    charge.bytes -= given_back;
  }
  if (charge.bytes > 0) process.objects.Put(charge);
  return ok;
}

bool RaiseSide(Process& process, int gpu, Side side, std::uint64_t bytes) {
  Charge charge;
  const bool known = process.objects.Find(KeyOf(CurrentContext(), side), &charge);
  const std::uint64_t has = known ? charge.bytes : 0;
  return bytes <= has || ChangeSide(process, gpu, side, static_cast<std::int64_t>(bytes - has));
}

std::uint64_t ResidentThreads(Device device) {
  int processors = 0, threads = 0;
  if (Call(k_cuDeviceGetAttribute, &processors, kDeviceProcessors, device) != kOk ||
      Call(k_cuDeviceGetAttribute, &threads, kDeviceThreadsPerProcessor, device) != kOk)
    return 0;
  return static_cast<std::uint64_t>(processors) * static_cast<std::uint64_t>(threads);
}

SideWatch::SideWatch(Process& process, int gpu)
    : process_(process), gpu_(gpu), free_before_(gpu < 0 ? 0 : RealFree()) {}

bool SideWatch::Fits() const {
  return FitsBeside(0);
}

bool SideWatch::FitsBeside(std::uint64_t reserved) const {
  if (gpu_ < 0 || free_before_ == 0) return true;
  const std::uint64_t free = RealFree();
  const std::uint64_t fell = free_before_ > free ? free_before_ - free : 0;
  return fell <= reserved || CountSideMemory(process_, gpu_, Holds::kAnything);
}

}  // namespace yard::slice::cuda
