#include "slice/shim/device.h"

#include "slice/shim/cuda_real.h"

namespace yard::slice::cuda {
namespace {

int Lookup(const Process& process, Device device) {
  Uuid uuid{};
  const Entry ask = Has(k_cuDeviceGetUuid_v2) ? k_cuDeviceGetUuid_v2 : k_cuDeviceGetUuid;
  if (Call(ask, &uuid, device) != kOk) return -1;
  for (unsigned i = 0; i < process.region->gpu_count && i < kMaxGpus; ++i)
    if (process.region->gpu[i].uuid == uuid) return static_cast<int>(i);
  return -1;
}

}  // namespace

int GpuOfDevice(Process& process, Device device) {
  if (!Attached(process) || device < 0 || device >= kMaxDevices) return -1;
  std::atomic<int>& known = process.gpu_of_device[device];
  if (const int seen = known.load(std::memory_order_relaxed); seen != 0)
    return seen > 0 ? seen - 1 : -1;
  const int gpu = Lookup(process, device);
  known.store(gpu >= 0 ? gpu + 1 : -1, std::memory_order_relaxed);
  return gpu;
}

bool CurrentDevice(Device* out) {
  return Call(k_cuCtxGetDevice, out) == kOk;
}

Current CurrentGpu(Process& process) {
  Device device = 0;
  if (!CurrentDevice(&device)) return {false, -1, 0};
  return {true, GpuOfDevice(process, device), device};
}

}  // namespace yard::slice::cuda
