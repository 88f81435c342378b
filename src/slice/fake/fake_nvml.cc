// NVML over the fake GPU's truth. FOR TESTS ONLY. Readings a fake cannot have are "not supported".
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "slice/fake/fake_gpus.h"
#include "slice/fake/truth.h"

namespace yard::slice::fake {
namespace {

constexpr int kInsufficient = 7;
int g_device;
int g_twin;
int g_instances[7];

int InstanceCount() {
  const char* const count = Said("YARD_FAKE_MIG");
  return count == nullptr ? 0 : std::atoi(count);
}

// 1 to 7; 0: the GPU itself.
int InstanceOf(const void* device) {
  for (int i = 0; i < 7; ++i)
    if (device == &g_instances[i]) return i + 1;
  return 0;
}

struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct MemoryV1 {
  unsigned long long total, free, used;
};
struct Sample {
  unsigned pid;
  unsigned long long at_micros;
  unsigned sm, memory, encoder, decoder;
};
struct EventData {
  void* device;
  unsigned long long type, data;
  unsigned gpu_instance, compute_instance;
};

// As with a sick GPU, while the file beside the truth is there.
void HangWhileToldTo() {
  const char* truth = Said("YARD_FAKE_GPU");
  char path[256] = "";
  if (truth != nullptr) std::snprintf(path, sizeof(path), "%s.hang", truth);
  while (::access(path, F_OK) == 0) ::poll(nullptr, 0, 1);
}

// Copies (pid, bytes) of living processes into records `stride` bytes apart.
int List(const void* device, unsigned* count, void* out, std::size_t stride) {
  unsigned found = 0;
  const unsigned room = out == nullptr ? 0 : *count;
  for (const TruthEntry& entry : Shared().entries) {
    if (IsTwin(device) || entry.pid == 0 || entry.bytes == 0 || !IsAlive(entry.pid)) continue;
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

bool IsTwin(const void* device) {
  return device == &g_twin;
}
bool HasTwin() {
  return Said("YARD_FAKE_TWIN") != nullptr;
}

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
  *count = HasTwin() ? 2 : 1;
  return 0;
}
FAKE_NVML nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = index == 0 ? &g_device : &g_twin;
  return index == 0 || (index == 1 && HasTwin()) ? 0 : 2;
}
FAKE_NVML nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  *device = &g_device;
  return std::strcmp(uuid, kUuidText) == 0 ? 0 : 6;
}
FAKE_NVML nvmlDeviceGetUUID(void* device, char* out, unsigned length) {
  if (const int instance = InstanceOf(device))
    std::snprintf(out, length, "%s%d", kMigUuidText, instance);
  else
    std::snprintf(out, length, "%s", IsTwin(device) ? kTwinUuidText : kUuidText);
  return 0;
}
FAKE_NVML nvmlDeviceGetName(void* device, char* out, unsigned length) {
  std::snprintf(out, length, "%s%s", kName, InstanceOf(device) != 0 ? " MIG 1g.10gb" : "");
  return 0;
}
FAKE_NVML nvmlDeviceGetMigMode(void* device, unsigned* now, unsigned* pending) {
  if (InstanceOf(device) != 0) return kNotSupported;
  *now = *pending = InstanceCount() > 0 && !IsTwin(device) ? 1 : 0;
  return 0;
}
FAKE_NVML nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return 0;
}
FAKE_NVML nvmlDeviceGetMigDeviceHandleByIndex(void*, unsigned index, void** device) {
  constexpr int kNotFound = 6;
  if (index >= 7 || static_cast<int>(index) >= InstanceCount()) return kNotFound;
  *device = &g_instances[index];
  return 0;
}
FAKE_NVML nvmlDeviceGetPciInfo_v3(void* device, PciV3* out) {
  if (InstanceOf(device) != 0) return kNotSupported;
  *out = {};
  std::snprintf(out->bus_id, sizeof(out->bus_id), "%s", IsTwin(device) ? kTwinPciBusId : kPciBusId);
  return 0;
}
FAKE_NVML nvmlDeviceGetMinorNumber(void* device, unsigned* minor) {
  if (InstanceOf(device) != 0) return kNotSupported;
  *minor = IsTwin(device) ? 1 : 0;
  return 0;
}
FAKE_NVML nvmlDeviceGetGpuInstanceId(void* device, unsigned* id) {
  if (InstanceOf(device) == 0) return kNotSupported;
  *id = static_cast<unsigned>(InstanceOf(device));
  return 0;
}
FAKE_NVML nvmlDeviceGetComputeInstanceId(void* device, unsigned* id) {
  if (InstanceOf(device) == 0) return kNotSupported;
  *id = 0;
  return 0;
}
FAKE_NVML nvmlDeviceGetMemoryInfo_v2(void* device, MemoryV2* out) {
  if (InstanceOf(device) != 0) {
    *out = {out->version, kMigBytes, 0, kMigBytes, 0};
    return 0;
  }
  out->total = kTotal;
  out->reserved = kReserved;
  out->used = IsTwin(device) ? 0 : UsedByAll();
  out->free = kTotal - kReserved - out->used;
  return 0;
}
FAKE_NVML nvmlDeviceGetMemoryInfo(void*, MemoryV1* out) {
  *out = {kTotal, kTotal - kReserved - UsedByAll(), kReserved + UsedByAll()};
  return 0;
}
FAKE_NVML nvmlDeviceGetComputeRunningProcesses(void* device, unsigned* count, void* out) {
  return List(device, count, out, 16);
}
FAKE_NVML nvmlDeviceGetComputeRunningProcesses_v2(void* device, unsigned* count, void* out) {
  return List(device, count, out, 24);
}
FAKE_NVML nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, void* out) {
  return List(device, count, out, 24);
}
FAKE_NVML nvmlDeviceGetGraphicsRunningProcesses_v3(void*, unsigned* count, void*) {
  *count = 0;
  return 0;
}
// A fifth of the GPU for each process, where there are readings at all.
FAKE_NVML nvmlDeviceGetProcessUtilization(void* device, Sample* out, unsigned* count,
                                          unsigned long long after) {
  constexpr int kNothingNew = 6;
  if (Said("YARD_FAKE_READINGS") == nullptr) return kNotSupported;
  unsigned found = 0;
  for (const TruthEntry& entry : Shared().entries) {
    if (IsTwin(device) || entry.pid == 0 || !IsAlive(entry.pid) || found == *count) continue;
    out[found++] = {static_cast<unsigned>(entry.pid), after + 1, 20, 0, 0, 0};
  }
  *count = found;
  return found == 0 ? kNothingNew : 0;
}
FAKE_NVML nvmlEventSetCreate(void** set) {
  *set = &g_device;
  return 0;
}
FAKE_NVML nvmlDeviceRegisterEvents(void*, unsigned long long, void*) {
  return 0;
}
// One event, of the number in YARD_FAKE_XID.
FAKE_NVML nvmlEventSetWait_v2(void*, EventData* out, unsigned) {
  constexpr int kTimeout = 10;
  const char* const code = Said("YARD_FAKE_XID");
  if (code == nullptr) return kTimeout;
  *out = {&g_device, 8, static_cast<unsigned long long>(std::atoi(code)), 0, 0};
  ::setenv("YARD_FAKE_XID", "", 1);
  return 0;
}

}  // namespace yard::slice::fake
