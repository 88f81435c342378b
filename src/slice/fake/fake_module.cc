// Modules, local memory and limits of the fake driver. FOR TESTS ONLY.
//
// A module is text: `big[N]` in it is a global variable of N bytes, `depot[N]` local memory of N
// bytes for each thread of its kernel. As with the real driver, local memory is taken when the
// kernel is first launched.
#include <cstdlib>
#include <cstring>

#include "slice/fake/fake_state.h"

namespace yard::slice::fake {
namespace {

constexpr int kProcessors = 16;
constexpr int kThreadsPerProcessor = 1024;
constexpr std::uint64_t kHeapInContext = 8 << 20;

std::uint64_t NumberBehind(const char* text, const char* word) {
  const char* const at = std::strstr(text, word);
  return at == nullptr ? 0 : std::strtoull(at + std::strlen(word), nullptr, 10);
}

}  // namespace

bool TakeLocal(State& state, const void* function) {
  const auto found = state.functions.find(function);
  if (found == state.functions.end()) return true;
  const std::uint64_t wanted = found->second * kProcessors * kThreadsPerProcessor;
  if (wanted <= state.local_bytes) return true;
  if (!Take(wanted - state.local_bytes)) return false;
  state.local_bytes = wanted;
  return true;
}

FAKE_API cuDeviceGetAttribute(int* out, int attribute, int) {
  *out = attribute == kDeviceProcessors            ? kProcessors
         : attribute == kDeviceThreadsPerProcessor ? kThreadsPerProcessor
                                                   : 0;
  return kOk;
}
FAKE_API cuModuleLoadData(void** out, const void* image) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (!Usable() || state.current == nullptr) return 201;
  const auto* const text = static_cast<const char*>(image);
  const std::uint64_t bytes = Up(NumberBehind(text, "big["), kBlock);
  if (!Take(bytes)) return kOutOfMemory;
  *out = NewHandle();
  state.arrays[*out] = {bytes, state.current};
  state.functions[*out] = NumberBehind(text, "depot[");
  return kOk;
}
FAKE_API cuModuleUnload(void* module) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  const auto found = state.arrays.find(module);
  if (found == state.arrays.end()) return kInvalidValue;
  Give(found->second.bytes);
  state.arrays.erase(found);
  return kOk;
}
// A module has one kernel, which has the module's handle.
FAKE_API cuModuleGetFunction(void** out, void* module, const char*) {
  *out = module;
  return kOk;
}
FAKE_API cuFuncGetAttribute(int* out, int attribute, void* function) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (attribute != kFunctionLocalBytes || !state.functions.contains(function)) return kInvalidValue;
  *out = static_cast<int>(state.functions[function]);
  return kOk;
}
FAKE_API cuCtxGetLimit(std::size_t* out, int limit) {
  *out = limit == kLimitHeap ? kHeapInContext + Get().heap_bytes : 1024;
  return kOk;
}
// Taken at once, unlike with the real driver.
FAKE_API cuCtxSetLimit(int limit, std::size_t value) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (limit != kLimitHeap) return kOk;
  const std::uint64_t wanted = value > kHeapInContext ? Up(value - kHeapInContext, kBlock) : 0;
  if (wanted > state.heap_bytes && !Take(wanted - state.heap_bytes)) return kOutOfMemory;
  if (wanted < state.heap_bytes) Give(state.heap_bytes - wanted);
  state.heap_bytes = wanted;
  return kOk;
}

}  // namespace yard::slice::fake
