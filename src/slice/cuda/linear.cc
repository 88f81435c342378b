// Linear, pitched and managed memory.
#include "slice/cuda/blocks.h"
#include "slice/cuda/device.h"
#include "slice/cuda/fault.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

constexpr std::uint64_t kPitchAlign = 512;

// Reserves for the current context, asks the driver, keeps or gives back. `make` returns the
// driver's code; `pointer` reads the address afterwards.
template <class Make, class Pointer>
Result Allocate(std::uint64_t bytes, Make make, Pointer pointer) {
  Process& process = Self();
  const Current current = CurrentGpu(process);
  if (!current.has_context) return make();
  if (!ReserveOrTrim(process, current.gpu, LinearBytes(bytes))) return kOutOfMemory;
  const Result result = make();
  YARD_FAULT_POINT();
  if (result != kOk) {
    Release(process, current.gpu, LinearBytes(bytes));
    return result;
  }
  KeepLinear(process,
             {.key = pointer(),
              .gpu = static_cast<std::int16_t>(current.gpu),
              .kind = Kind::kLinear,
              .context = CurrentContext()},
             bytes);
  YARD_FAULT_POINT();
  return result;
}

template <class Free>
Result FreeLinear(std::uint64_t key, Free free) {
  Process& process = Self();
  Charge entry;
  const bool known = process.pointers.Take(key, &entry);
  const Result result = free();
  if (!known) return result;
  YARD_FAULT_POINT();
  if (result != kOk)
    process.pointers.Put(entry);
  else if (entry.kind == Kind::kPool)
    PoolFreed(process, entry);
  else
    ReleaseLinear(process, entry);
  return result;
}

// Managed memory never asks for more than the GPU has free: on a shared card that can hang it.
bool FitsFreeMemory(std::size_t bytes) {
  std::size_t free = 0, total = 0;
  return Call(k_cuMemGetInfo_v2, &free, &total) != kOk || bytes <= free;
}

}  // namespace

Result MemAlloc(DevicePtr* out, std::size_t bytes) {
  return Allocate(bytes, [&] { return Call(k_cuMemAlloc_v2, out, bytes); }, [&] { return *out; });
}

Result MemAllocV1(unsigned* out, unsigned bytes) {
  return Allocate(
      bytes, [&] { return Call(k_cuMemAlloc, out, bytes); }, [&] { return DevicePtr{*out}; });
}

Result MemAllocPitch(DevicePtr* out, std::size_t* pitch, std::size_t width, std::size_t height,
                     unsigned element) {
  return Allocate(
      RoundUp(width, kPitchAlign) * height,
      [&] { return Call(k_cuMemAllocPitch_v2, out, pitch, width, height, element); },
      [&] { return *out; });
}

Result MemAllocPitchV1(unsigned* out, unsigned* pitch, unsigned width, unsigned height,
                       unsigned element) {
  return Allocate(
      RoundUp(width, kPitchAlign) * height,
      [&] { return Call(k_cuMemAllocPitch, out, pitch, width, height, element); },
      [&] { return DevicePtr{*out}; });
}

Result MemAllocManaged(DevicePtr* out, std::size_t bytes, unsigned flags) {
  if (!FitsFreeMemory(bytes)) return kOutOfMemory;
  return Allocate(
      RoundUp(bytes, kGranule), [&] { return Call(k_cuMemAllocManaged, out, bytes, flags); },
      [&] { return *out; });
}

Result MemFree(DevicePtr pointer) {
  return FreeLinear(pointer, [&] { return Call(k_cuMemFree_v2, pointer); });
}

Result MemFreeV1(unsigned pointer) {
  return FreeLinear(pointer, [&] { return Call(k_cuMemFree, pointer); });
}

}  // namespace yard::slice::cuda
