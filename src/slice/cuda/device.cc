#include "slice/cuda/device.h"

#include "slice/cuda/cuda_real.h"

namespace yard::slice::cuda {
namespace {

// The GPU's number + 1, -1 if the slice has no part of it, 0 if the driver cannot say yet.
int Lookup(const Process& process, Device device) {
  Uuid uuid{};
  const Entry ask = Has(k_cuDeviceGetUuid_v2) ? k_cuDeviceGetUuid_v2 : k_cuDeviceGetUuid;
  if (Call(ask, &uuid, device) != kOk) return 0;
  for (unsigned i = 0; i < process.region->gpu_count && i < kMaxGpus; ++i)
    if (process.region->gpu[i].uuid == uuid) return static_cast<int>(i) + 1;
  return -1;
}

}  // namespace

int GpuOfDevice(Process& process, Device device) {
  if (!Attached(process) || device < 0 || device >= kMaxDevices) return -1;
  std::atomic<int>& known = process.gpu_of_device[device];
  int seen = known.load(std::memory_order_relaxed);
  if (seen == 0) {
    seen = Lookup(process, device);
    known.store(seen, std::memory_order_relaxed);
  }
  return seen > 0 ? seen - 1 : -1;
}

bool CurrentDevice(Device* out) {
  return Call(k_cuCtxGetDevice, out) == kOk;
}

std::uint64_t CurrentContext() {
  Handle context = nullptr;
  Call(k_cuCtxGetCurrent, &context);
  return reinterpret_cast<std::uint64_t>(context);
}

Current CurrentGpu(Process& process) {
  Device device = 0;
  if (!CurrentDevice(&device)) return {false, -1, 0};
  return {true, GpuOfDevice(process, device), device};
}

}  // namespace yard::slice::cuda
