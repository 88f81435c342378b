// What a program is told about memory: the slice, the same on every surface.
#include "slice/cuda/device.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

std::uint64_t Limit(const Process& process, int gpu) {
  return gpu < 0 ? 0 : ShownTotal(process.region->gpu[gpu]);
}

unsigned Narrow(std::uint64_t bytes) {
  return bytes > 0xffffffffULL ? 0xffffffffU : static_cast<unsigned>(bytes);
}

struct Shown {
  std::uint64_t free, total;
};

Shown Show(std::uint64_t real_free) {
  Process& process = Self();
  const Current current = CurrentGpu(process);
  if (current.gpu < 0) return {0, 0};
  RefreshPools(process);
  const std::uint64_t free = FreeBytes(process.region->gpu[current.gpu]);
  return {free < real_free ? free : real_free, Limit(process, current.gpu)};
}

}  // namespace

Result DeviceTotalMem(std::size_t* bytes, Device device) {
  const Result result = Call(k_cuDeviceTotalMem_v2, bytes, device);
  Process& process = Self();
  if (result == kOk && bytes != nullptr) *bytes = Limit(process, GpuOfDevice(process, device));
  return result;
}

Result DeviceTotalMemV1(unsigned* bytes, Device device) {
  const Result result = Call(k_cuDeviceTotalMem, bytes, device);
  Process& process = Self();
  if (result == kOk && bytes != nullptr)
    *bytes = Narrow(Limit(process, GpuOfDevice(process, device)));
  return result;
}

Result MemGetInfo(std::size_t* free, std::size_t* total) {
  const Result result = Call(k_cuMemGetInfo_v2, free, total);
  if (result != kOk) return result;
  const Shown shown = Show(free == nullptr ? 0 : *free);
  if (free != nullptr) *free = shown.free;
  if (total != nullptr) *total = shown.total;
  return result;
}

Result MemGetInfoV1(unsigned* free, unsigned* total) {
  const Result result = Call(k_cuMemGetInfo, free, total);
  if (result != kOk) return result;
  const Shown shown = Show(~0ULL);
  if (free != nullptr) *free = Narrow(shown.free);
  if (total != nullptr) *total = Narrow(shown.total);
  return result;
}

}  // namespace yard::slice::cuda
