// Which of the NVIDIA driver's devices a plain process may open, by their numbers. Pure but for
// reading what the kernel and the driver say below /proc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shim/devices.h"

namespace yard::engine {

// A GPU that was granted, or the instance of one (MIG).
struct GpuNode {
  int minor = 0;  // of /dev/nvidia<minor>
  std::optional<int> gpu_instance = {};
  std::optional<int> compute_instance = {};
};

// As shim::DeviceRules: guarded major numbers are refused but for the devices granted.
struct DeviceAccess {
  std::vector<std::uint32_t> guarded;
  std::vector<shim::DeviceNumber> granted;
};

// Without a GPU all devices of the driver are guarded. With one, the devices that all its GPUs
// share are open, and of those that stand for a GPU or an instance the granted ones.
DeviceAccess AccessTo(std::span<const GpuNode> gpus, const std::string& proc);

}  // namespace yard::engine
