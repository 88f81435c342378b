// Copies and waits in a slice with a compute share: copies pass the gate like kernels, and the
// keeper sees who waits for the GPU. A memory-only slice never comes here. Threads: any.
#pragma once

#include "slice/cuda/cuda_abi.h"
#include "slice/cuda/cuda_real.h"
#include "slice/cuda/gate.h"

namespace yard::slice::cuda {

constexpr Lane LaneOf(Entry entry) {
  switch (entry) {
    case k_cuMemcpyAsync_ptsz:
    case k_cuMemcpyDtoDAsync_v2_ptsz:
    case k_cuMemcpyHtoDAsync_v2_ptsz:
    case k_cuMemcpyDtoHAsync_v2_ptsz:
    case k_cuMemcpy2DAsync_v2_ptsz:
    case k_cuMemcpy3DAsync_v2_ptsz:
    case k_cuMemcpy_ptds:
    case k_cuMemcpyDtoD_v2_ptds:
    case k_cuMemcpyHtoD_v2_ptds:
    case k_cuMemcpyDtoH_v2_ptds:
      return Lane::kPerThread;
    default:
      return Lane::kLegacy;
  }
}

// In the order of a stream, which is the last parameter.
template <Entry kReal, class... Before>
Result CopyOn(Handle stream, Before... before) {
  StreamMark* const mark = PassGate(Self(), stream, LaneOf(kReal));
  const Result result = Call(kReal, before..., stream);
  AfterLaunch(mark, kKernel);
  return result;
}

// On the default stream; the caller may have to wait for it.
template <Entry kReal, class... Parameters>
Result CopyNow(Parameters... parameters) {
  Process& process = Self();
  StreamMark* const mark = PassGate(process, nullptr, LaneOf(kReal));
  Result result = kOk;
  {
    const WaitForGpu waiting(process);
    result = Call(kReal, parameters...);
  }
  AfterLaunch(mark, kKernel);
  return result;
}

template <Entry kReal>
Result CopyAsync(DevicePtr to, DevicePtr from, std::size_t bytes, Handle stream) {
  return CopyOn<kReal>(stream, to, from, bytes);
}

template <Entry kReal>
Result CopyFromHostAsync(DevicePtr to, const void* from, std::size_t bytes, Handle stream) {
  return CopyOn<kReal>(stream, to, from, bytes);
}

// To memory that is not pinned it waits until the stream has come to it.
template <Entry kReal>
Result CopyToHostAsync(void* to, DevicePtr from, std::size_t bytes, Handle stream) {
  const WaitForGpu waiting(Self());
  return CopyOn<kReal>(stream, to, from, bytes);
}

template <Entry kReal>
Result CopyDescribedAsync(const void* description, Handle stream) {
  return CopyOn<kReal>(stream, description);
}

template <Entry kReal>
Result Copy(DevicePtr to, DevicePtr from, std::size_t bytes) {
  return CopyNow<kReal>(to, from, bytes);
}

template <Entry kReal>
Result CopyFromHost(DevicePtr to, const void* from, std::size_t bytes) {
  return CopyNow<kReal>(to, from, bytes);
}

template <Entry kReal>
Result CopyToHost(void* to, DevicePtr from, std::size_t bytes) {
  return CopyNow<kReal>(to, from, bytes);
}

inline Result CtxSynchronize() {
  const WaitForGpu waiting(Self());
  return Call(k_cuCtxSynchronize);
}

// Of a stream or an event.
template <Entry kReal>
Result SynchronizeOn(Handle what) {
  const WaitForGpu waiting(Self());
  return Call(kReal, what);
}

}  // namespace yard::slice::cuda
