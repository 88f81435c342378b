// The stand-in for libnvidia-ml.so.1: memory is the slice's, other tenants' processes are not
// shown, everything else is the real library's.
#include <dlfcn.h>
#include <string.h>

#include "slice/cuda/once.h"
#include "slice/cuda/process.h"
#include "slice/cuda/self.h"

namespace yard::slice::nvml {
namespace {

constexpr int kOk = 0;
constexpr int kNotFoundFunction = 13;
constexpr int kLibraryNotFound = 12;
constexpr int kInsufficientSize = 7;
constexpr unsigned kMostProcesses = 1024;

enum Entry : int {
#define W(name, ...) k_##name,
#include "slice/cuda/nvml_wraps.inc"
#undef W
  kWrapCount,
};

constexpr const char* kNames[] = {
#define X(name) #name,
#include "slice/cuda/nvml_names.inc"
#undef X
};

struct Library {
  void* handle;
  void* real[kWrapCount];
  int (*uuid)(void* device, char* out, unsigned length);
};

Library g_library;
Once g_opened;

constexpr const char* kWrapNames[kWrapCount] = {
#define W(name, ...) #name,
#include "slice/cuda/nvml_wraps.inc"
#undef W
};

void Open() {
  g_library.handle = OpenReal("libnvidia-ml.so.1");
  if (g_library.handle == nullptr) return;
  for (int i = 0; i < kWrapCount; ++i) g_library.real[i] = dlsym(g_library.handle, kWrapNames[i]);
  g_library.uuid = reinterpret_cast<int (*)(void*, char*, unsigned)>(
      dlsym(g_library.handle, "nvmlDeviceGetUUID"));
}

template <class... Args>
int Call(Entry entry, Args... args) {
  auto* const function = reinterpret_cast<int (*)(Args...)>(g_library.real[entry]);
  return function == nullptr ? kNotFoundFunction : function(args...);
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool ReadUuid(void* device, Uuid* out) {
  char text[96] = {};
  if (g_library.uuid == nullptr || g_library.uuid(device, text, sizeof(text)) != kOk) return false;
  if (memcmp(text, "GPU-", 4) != 0 && memcmp(text, "MIG-", 4) != 0) return false;
  int digits = 0;
  for (const char* c = text + 4; *c != 0 && digits < 32; ++c) {
    const int value = HexDigit(*c);
    if (value < 0) continue;
    auto& byte = out->bytes[digits++ / 2];
    byte = static_cast<std::uint8_t>(byte << 4 | value);
  }
  return digits == 32;
}

// The slice's part of the device; null if it has none.
const Gpu* PartOf(void* device) {
  const Process& process = Observer();
  Uuid uuid{};
  if (!Attached(process) || !ReadUuid(device, &uuid)) return nullptr;
  for (unsigned i = 0; i < process.region->gpu_count && i < kMaxGpus; ++i)
    if (process.region->gpu[i].uuid == uuid) return &process.region->gpu[i];
  return nullptr;
}

struct MemoryV1 {
  unsigned long long total, free, used;
};
struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};

int MemoryInfo(void* device, MemoryV1* out) {
  const int result = Call(k_nvmlDeviceGetMemoryInfo, device, out);
  const Gpu* const gpu = result == kOk ? PartOf(device) : nullptr;
  if (gpu == nullptr) return result;
  *out = {ShownTotal(*gpu), FreeBytes(*gpu), TakenBytes(*gpu)};
  return result;
}

int MemoryInfoV2(void* device, MemoryV2* out) {
  const int result = Call(k_nvmlDeviceGetMemoryInfo_v2, device, out);
  const Gpu* const gpu = result == kOk ? PartOf(device) : nullptr;
  if (gpu == nullptr) return result;
  *out = {out->version, ShownTotal(*gpu), 0, FreeBytes(*gpu), TakenBytes(*gpu)};
  return result;
}

// The pid as the process sees itself, or 0 if the process is not of this slice.
unsigned InnerPid(const Region& region, unsigned host_pid) {
  for (const Slot& slot : region.slot)
    if (slot.owner.load() >> 32 == host_pid) return static_cast<unsigned>(slot.inner_pid.load());
  return 0;
}

// Keeps this slice's records, which are `stride` bytes and begin with the pid.
unsigned Keep(const Region& region, char* records, unsigned count, unsigned stride) {
  unsigned kept = 0;
  for (unsigned i = 0; i < count; ++i) {
    unsigned pid = 0;
    memcpy(&pid, records + i * stride, sizeof(pid));
    const unsigned inner = InnerPid(region, pid);
    if (inner == 0) continue;
    memmove(records + kept * stride, records + i * stride, stride);
    memcpy(records + kept * stride, &inner, sizeof(inner));
    ++kept;
  }
  return kept;
}

template <Entry kReal, unsigned kStride>
int Processes(void* device, unsigned* count, void* out) {
  if (count == nullptr || PartOf(device) == nullptr) return Call(kReal, device, count, out);
  alignas(8) char all[kMostProcesses * kStride];
  unsigned found = kMostProcesses;
  const int result = Call(kReal, device, &found, static_cast<void*>(all));
  if (result != kOk) return result;
  const unsigned kept = Keep(*Observer().region, all, found, kStride);
  const unsigned room = out == nullptr ? 0 : *count;
  *count = kept;
  if (kept > room) return kInsufficientSize;
  if (kept > 0) memcpy(out, all, kept * kStride);
  return kOk;
}

void* const kOurs[kWrapCount] = {
#define W(name, ...) reinterpret_cast<void*>(__VA_ARGS__),
#include "slice/cuda/nvml_wraps.inc"
#undef W
};

int Missing() {
  return kNotFoundFunction;
}

int NoLibrary() {
  return kLibraryNotFound;
}

}  // namespace
}  // namespace yard::slice::nvml

extern "C" [[gnu::visibility("hidden")]] void* SliceResolve(unsigned long number) {
  using namespace yard::slice::nvml;
  g_opened.Run(Open);
  if (g_library.handle == nullptr) return reinterpret_cast<void*>(&NoLibrary);
  void* const real = dlsym(g_library.handle, kNames[number]);
  if (real == nullptr) return reinterpret_cast<void*>(&Missing);
  for (int i = 0; i < kWrapCount; ++i)
    if (strcmp(kWrapNames[i], kNames[number]) == 0) return kOurs[i];
  return real;
}
