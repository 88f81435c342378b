// Addresses on the PCI bus, as NVML tells them.
#pragma once

#include <optional>
#include <string>

#include "slice/nvml.h"

namespace yard::slice {

// NVML's own layout.
struct PciV3 {
  char old_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

inline std::optional<std::string> BusAddress(const Nvml& nvml, void* gpu) {
  PciV3 pci{};
  if (nvml.Call("nvmlDeviceGetPciInfo_v3", gpu, &pci) != Nvml::kOk) return std::nullopt;
  return std::string(pci.bus_id);
}

}  // namespace yard::slice
