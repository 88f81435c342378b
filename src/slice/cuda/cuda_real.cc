#include "slice/cuda/cuda_real.h"

#include <dlfcn.h>
#include <string.h>

#include "slice/cuda/once.h"
#include "slice/cuda/process.h"
#include "slice/cuda/self.h"

namespace yard::slice::cuda {
namespace {

constexpr const char* kNames[] = {
#define X(name) #name,
#include "slice/cuda/cuda_names.inc"
#undef X
};

constexpr const char* kEntryNames[kEntryCount] = {
#define W(name, fn, when) #name,
#include "slice/cuda/cuda_wraps.inc"
#undef W
#define C(name) #name,
#include "slice/cuda/cuda_calls.inc"
#undef C
};

constexpr unsigned kBuckets = 512;
static_assert(kBuckets > 2 * kWrapCount);

struct Driver {
  void* handle;
  short by_pointer[kBuckets];  // entry + 1, open addressing on the real pointer
};

Driver g_driver;
Once g_opened;

unsigned Bucket(const void* pointer) {
  const auto bits = reinterpret_cast<std::uintptr_t>(pointer);
  return static_cast<unsigned>((bits >> 4) * 0x9e3779b97f4a7c15ULL >> 55) % kBuckets;
}

void Insert(int entry) {
  if (g_real[entry] == nullptr) return;
  unsigned at = Bucket(g_real[entry]);
  while (g_driver.by_pointer[at] != 0) at = (at + 1) % kBuckets;
  g_driver.by_pointer[at] = static_cast<short>(entry + 1);
}

void Open() {
  g_driver.handle = OpenReal("libcuda.so.1");
  if (g_driver.handle == nullptr) return;
  for (int i = 0; i < kEntryCount; ++i) g_real[i] = dlsym(g_driver.handle, kEntryNames[i]);
  for (int i = 0; i < kWrapCount; ++i) Insert(i);
}

bool InForce(const Wrap& wrap) {
  return wrap.when == When::kAlways || HasShare();
}

int FindWrap(const char* name) {
  for (int i = 0; i < kWrapCount; ++i)
    if (strcmp(kWraps[i].name, name) == 0) return i;
  return -1;
}

Result Missing() {
  return kNotFound;
}

// A driver that cannot be found, or a slice that has none, is a machine without a GPU.
Result NoDriver() {
  return kNoDevice;
}

}  // namespace

void* g_real[kEntryCount];

void* Swapped(void* real) {
  g_opened.Run(Open);
  for (unsigned at = Bucket(real); g_driver.by_pointer[at] != 0; at = (at + 1) % kBuckets) {
    const int entry = g_driver.by_pointer[at] - 1;
    if (g_real[entry] != real) continue;
    return InForce(kWraps[entry]) ? kWraps[entry].ours : real;
  }
  return real;
}

}  // namespace yard::slice::cuda

// What an exported entry jumps to from now on; called by stubs.S at the entry's first use.
extern "C" [[gnu::visibility("hidden")]] void* SliceResolve(unsigned long number) {
  using namespace yard::slice::cuda;
  g_opened.Run(Open);
  if (g_driver.handle == nullptr) return reinterpret_cast<void*>(&NoDriver);
  void* const real = dlsym(g_driver.handle, kNames[number]);
  if (real == nullptr) return reinterpret_cast<void*>(&Missing);
  const int wrap = FindWrap(kNames[number]);
  return wrap >= 0 && InForce(kWraps[wrap]) ? kWraps[wrap].ours : real;
}
