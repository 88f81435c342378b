// Readings of the fake NVML. FOR TESTS ONLY. A fake has none, so they are "not supported", unless
// YARD_FAKE_READINGS is set: then some have values, and some stay not supported as on many GPUs.
#include <cstdio>
#include <cstdlib>

#include "slice/fake/fake_gpus.h"
#include "slice/fake/truth.h"

namespace yard::slice::fake {
namespace {

enum Clock : int { kGraphics = 0, kSm = 1, kMemory = 2 };
struct Rates {
  unsigned gpu, memory;
};

template <class T, class V>
int Give(T* out, V value) {
  if (Said("YARD_FAKE_READINGS") == nullptr) return kNotSupported;
  *out = static_cast<T>(value);
  return 0;
}

}  // namespace

FAKE_NVML nvmlDeviceGetUtilizationRates(void*, Rates* out) {
  out->memory = 0;
  return Give(&out->gpu, 37);
}
FAKE_NVML nvmlDeviceGetTemperature(void*, int, unsigned* out) {
  return Give(out, 61);
}
FAKE_NVML nvmlDeviceGetPowerUsage(void*, unsigned* out) {
  return Give(out, 312'500);
}
FAKE_NVML nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* out) {
  return Give(out, 700'000);
}
FAKE_NVML nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* out) {
  return Give(out, 3'795'167'250ULL);
}
FAKE_NVML nvmlDeviceGetClockInfo(void*, int clock, unsigned* out) {
  return clock == kSm ? Give(out, 1755) : kNotSupported;
}
FAKE_NVML nvmlDeviceGetMaxClockInfo(void*, int clock, unsigned* out) {
  return clock == kSm ? Give(out, 1980) : kNotSupported;
}
FAKE_NVML nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* out) {
  constexpr unsigned kIdle = 0x1, kPowerLimit = 0x4, kHeat = 0x20;
  return Give(out, kIdle | kPowerLimit | kHeat);
}
FAKE_NVML nvmlDeviceGetTotalEccErrors(void*, int kind, int, unsigned long long* out) {
  return Give(out, kind == 0 ? 3 : 0);
}
// The two have four links between them; PCIe joins them by one switch.
FAKE_NVML nvmlDeviceGetNvLinkState(void*, unsigned link, unsigned* active) {
  return HasTwin() ? Give(active, link < 4 ? 1 : 0) : kNotSupported;
}
FAKE_NVML nvmlDeviceGetNvLinkRemotePciInfo_v2(void* device, unsigned, PciV3* out) {
  *out = {};
  std::snprintf(out->bus_id, sizeof(out->bus_id), "%s", IsTwin(device) ? kPciBusId : kTwinPciBusId);
  return 0;
}
FAKE_NVML nvmlDeviceGetTopologyCommonAncestor(void*, void*, int* level) {
  constexpr int kOneSwitch = 10;
  *level = kOneSwitch;
  return 0;
}

}  // namespace yard::slice::fake
