// Launches in a slice with a compute share. A memory-only slice never comes here.
#include "slice/cuda/gate.h"
#include "slice/cuda/process.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

template <class Run>
Result Gated(Handle stream, Lane lane, Run run) {
  Process& process = Self();
  StreamMark* const mark = PassGate(process, stream, lane);
  const Result result = run();
  AfterLaunch(mark, kKernel);
  return result;
}

}  // namespace

template <Entry kReal>
Result LaunchKernel(Handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                    unsigned by, unsigned bz, unsigned shared, Handle stream, void** params,
                    void** extra) {
  constexpr Lane kLane = kReal == k_cuLaunchKernel_ptsz ? Lane::kPerThread : Lane::kLegacy;
  return Gated(stream, kLane, [&] {
    return Call(kReal, function, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
  });
}

template <Entry kReal>
Result LaunchKernelEx(const LaunchConfig* config, Handle function, void** params, void** extra) {
  constexpr Lane kLane = kReal == k_cuLaunchKernelEx_ptsz ? Lane::kPerThread : Lane::kLegacy;
  return Gated(config == nullptr ? nullptr : config->stream, kLane,
               [&] { return Call(kReal, config, function, params, extra); });
}

template <Entry kReal>
Result LaunchCooperative(Handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                         unsigned by, unsigned bz, unsigned shared, Handle stream, void** params) {
  constexpr Lane kLane =
      kReal == k_cuLaunchCooperativeKernel_ptsz ? Lane::kPerThread : Lane::kLegacy;
  return Gated(stream, kLane, [&] {
    return Call(kReal, function, gx, gy, gz, bx, by, bz, shared, stream, params);
  });
}

Result LaunchMultiDevice(void* list, unsigned count, unsigned flags) {
  return Gated(nullptr, Lane::kLegacy,
               [&] { return Call(k_cuLaunchCooperativeKernelMultiDevice, list, count, flags); });
}

Result Launch(Handle function) {
  return Gated(nullptr, Lane::kLegacy, [&] { return Call(k_cuLaunch, function); });
}

Result LaunchGrid(Handle function, int width, int height) {
  return Gated(nullptr, Lane::kLegacy,
               [&] { return Call(k_cuLaunchGrid, function, width, height); });
}

Result LaunchGridAsync(Handle function, int width, int height, Handle stream) {
  return Gated(stream, Lane::kLegacy,
               [&] { return Call(k_cuLaunchGridAsync, function, width, height, stream); });
}

template <Entry kReal>
Result StreamDestroy(Handle stream) {
  ForgetStream(Self(), stream);
  return Call(kReal, stream);
}

template Result LaunchKernel<k_cuLaunchKernel>(Handle, unsigned, unsigned, unsigned, unsigned,
                                               unsigned, unsigned, unsigned, Handle, void**,
                                               void**);
template Result LaunchKernel<k_cuLaunchKernel_ptsz>(Handle, unsigned, unsigned, unsigned, unsigned,
                                                    unsigned, unsigned, unsigned, Handle, void**,
                                                    void**);
template Result LaunchKernelEx<k_cuLaunchKernelEx>(const LaunchConfig*, Handle, void**, void**);
template Result LaunchKernelEx<k_cuLaunchKernelEx_ptsz>(const LaunchConfig*, Handle, void**,
                                                        void**);
template Result LaunchCooperative<k_cuLaunchCooperativeKernel>(Handle, unsigned, unsigned, unsigned,
                                                               unsigned, unsigned, unsigned,
                                                               unsigned, Handle, void**);
template Result LaunchCooperative<k_cuLaunchCooperativeKernel_ptsz>(Handle, unsigned, unsigned,
                                                                    unsigned, unsigned, unsigned,
                                                                    unsigned, unsigned, Handle,
                                                                    void**);
template Result StreamDestroy<k_cuStreamDestroy>(Handle);
template Result StreamDestroy<k_cuStreamDestroy_v2>(Handle);

}  // namespace yard::slice::cuda
