// NVML over the fake GPU's truth. FOR TESTS ONLY. Readings a fake cannot have are "not supported".
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "slice/fake/truth.h"

namespace yard::slice::fake {
namespace {

constexpr int kNotSupported = 3;
constexpr int kInsufficient = 7;
int g_device;

struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct MemoryV1 {
  unsigned long long total, free, used;
};

// As with a sick GPU, while the file beside the truth is there.
void HangWhileToldTo() {
  const char* truth = std::getenv("YARD_FAKE_GPU");
  char path[256] = "";
  if (truth != nullptr) std::snprintf(path, sizeof(path), "%s.hang", truth);
  while (::access(path, F_OK) == 0) ::poll(nullptr, 0, 1);
}

// Copies (pid, bytes) of living processes into records `stride` bytes apart.
int List(unsigned* count, void* out, std::size_t stride) {
  unsigned found = 0;
  const unsigned room = out == nullptr ? 0 : *count;
  for (const TruthEntry& entry : Shared().entries) {
    if (entry.pid == 0 || entry.bytes == 0 || !IsAlive(entry.pid)) continue;
    if (found < room) {
      char* const at = static_cast<char*>(out) + found * stride;
      const auto pid = static_cast<unsigned>(entry.pid);
      const unsigned long long bytes = entry.bytes;
      std::memset(at, 0, stride);
      std::memcpy(at, &pid, sizeof(pid));
      std::memcpy(at + 8, &bytes, sizeof(bytes));
    }
    ++found;
  }
  const bool fits = found <= room;
  *count = found;
  return fits ? 0 : kInsufficient;
}

}  // namespace

#define FAKE_NVML extern "C" __attribute__((visibility("default"))) int

FAKE_NVML nvmlInit_v2() {
  return 0;
}
FAKE_NVML nvmlShutdown() {
  return 0;
}
FAKE_NVML nvmlSystemGetDriverVersion(char* out, unsigned length) {
  std::snprintf(out, length, "fake");
  return 0;
}
FAKE_NVML nvmlDeviceGetCount_v2(unsigned* count) {
  HangWhileToldTo();
  *count = 1;
  return 0;
}
FAKE_NVML nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = &g_device;
  return index == 0 ? 0 : 2;
}
FAKE_NVML nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  *device = &g_device;
  return std::strcmp(uuid, kUuidText) == 0 ? 0 : 6;
}
FAKE_NVML nvmlDeviceGetUUID(void*, char* out, unsigned length) {
  std::snprintf(out, length, "%s", kUuidText);
  return 0;
}
FAKE_NVML nvmlDeviceGetName(void*, char* out, unsigned length) {
  std::snprintf(out, length, "%s", kName);
  return 0;
}
FAKE_NVML nvmlDeviceGetMemoryInfo_v2(void*, MemoryV2* out) {
  out->total = kTotal;
  out->reserved = kReserved;
  out->used = UsedByAll();
  out->free = kTotal - kReserved - out->used;
  return 0;
}
FAKE_NVML nvmlDeviceGetMemoryInfo(void*, MemoryV1* out) {
  *out = {kTotal, kTotal - kReserved - UsedByAll(), kReserved + UsedByAll()};
  return 0;
}
FAKE_NVML nvmlDeviceGetComputeRunningProcesses(void*, unsigned* count, void* out) {
  return List(count, out, 16);
}
FAKE_NVML nvmlDeviceGetComputeRunningProcesses_v2(void*, unsigned* count, void* out) {
  return List(count, out, 24);
}
FAKE_NVML nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, void* out) {
  return List(count, out, 24);
}
FAKE_NVML nvmlDeviceGetGraphicsRunningProcesses_v3(void*, unsigned* count, void*) {
  *count = 0;
  return 0;
}
FAKE_NVML nvmlDeviceGetTemperature(void*, int, unsigned*) {
  return kNotSupported;
}
FAKE_NVML nvmlDeviceGetPowerUsage(void*, unsigned*) {
  return kNotSupported;
}

}  // namespace yard::slice::fake
