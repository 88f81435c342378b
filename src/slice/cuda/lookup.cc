#include "slice/cuda/graph.h"
#include "slice/cuda/process.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {

// A process that no keeper lets in sees a machine without a GPU, never a whole one.
Result Init(unsigned flags) {
  if (!Attached(Self())) return kNoDevice;
  if (HasShare()) WatchGraphs();
  return Call(k_cuInit, flags);
}

// The driver answers first, so versions, flags and statuses are its own; then the pointer is
// exchanged if it is one of those we answer.
template <Entry kReal>
Result GetProcAddress(const char* name, void** out, int version, std::uint64_t flags) {
  const Result result = Call(kReal, name, out, version, flags);
  if (result == kOk && out != nullptr && *out != nullptr) *out = Swapped(*out);
  return result;
}

template <Entry kReal>
Result GetProcAddressV2(const char* name, void** out, int version, std::uint64_t flags, int* how) {
  const Result result = Call(kReal, name, out, version, flags, how);
  if (result == kOk && out != nullptr && *out != nullptr) *out = Swapped(*out);
  return result;
}

// Only the keeper may suspend a workload's GPU state.
Result CheckpointDenied(int, void*) {
  return kNotPermitted;
}

template Result GetProcAddress<k_cuGetProcAddress>(const char*, void**, int, std::uint64_t);
template Result GetProcAddress<k_cuGetProcAddress_ptsz>(const char*, void**, int, std::uint64_t);
template Result GetProcAddressV2<k_cuGetProcAddress_v2>(const char*, void**, int, std::uint64_t,
                                                        int*);
template Result GetProcAddressV2<k_cuGetProcAddress_v2_ptsz>(const char*, void**, int,
                                                             std::uint64_t, int*);

}  // namespace yard::slice::cuda
