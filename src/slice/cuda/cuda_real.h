// The real driver library and the map from its functions to ours.
//
// Opened once, by absolute path, at the first call; every pointer below is then constant.
// Threads: any; the first caller opens, others wait.
#pragma once

#include <cstdint>

#include "slice/cuda/cuda_abi.h"

namespace yard::slice::cuda {

enum Entry : int {
#define W(name, fn, when) k_##name,
#include "slice/cuda/cuda_wraps.inc"
#undef W
  kWrapCount,
  kBeforeCalls = kWrapCount - 1,
#define C(name) k_##name,
#include "slice/cuda/cuda_calls.inc"
#undef C
  kEntryCount,
};

enum class When : std::uint8_t { kAlways, kShare };

struct Wrap {
  const char* name;
  void* ours;
  When when;
};

extern const Wrap kWraps[kWrapCount];

// Filled when the driver is opened, which is before any function of ours is given out.
extern void* g_real[kEntryCount];

// The real function behind an entry, or null if this driver lacks it.
inline void* RealEntry(Entry entry) {
  return g_real[entry];
}

inline bool Has(Entry entry) {
  return RealEntry(entry) != nullptr;
}

template <class... Args>
inline Result Call(Entry entry, Args... args) {
  auto* const function = reinterpret_cast<Result (*)(Args...)>(RealEntry(entry));
  return function == nullptr ? kNotFound : function(args...);
}

// Ours for a pointer the real driver gave out, or the same pointer.
void* Swapped(void* real);

}  // namespace yard::slice::cuda
