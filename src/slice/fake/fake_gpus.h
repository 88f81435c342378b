// The GPUs of the fake NVML. FOR TESTS ONLY.
#pragma once

#define FAKE_NVML extern "C" __attribute__((visibility("default"))) int

namespace yard::slice::fake {

inline constexpr int kNotSupported = 3;

// NVML's own layout.
struct PciV3 {
  char old_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

bool HasTwin();
bool IsTwin(const void* device);

}  // namespace yard::slice::fake
