// What a GPU says about itself, by NVML. A reading the GPU or driver does not give is absent;
// nothing is ever invented.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slice/nvml.h"

namespace yard::slice {

struct GpuIdentity {
  std::string uuid, name, pci_bus_id;
  std::optional<std::string> serial;
  std::optional<int> minor_number, capability_major, capability_minor, numa_node;
  std::optional<bool> mig_enabled;
  bool mig_instance = false;  // then `minor_number` is that of the GPU it is on
  std::optional<int> gpu_instance, compute_instance;  // of a MIG instance
};

struct GpuReading {
  std::optional<GpuMemory> memory;
  std::optional<unsigned> gpu_percent, memory_percent;
  std::optional<unsigned> temperature_c;
  std::optional<unsigned> power_mw, power_limit_mw;
  std::optional<std::uint64_t> energy_mj;
  std::optional<unsigned> sm_clock_mhz, memory_clock_mhz, sm_clock_max_mhz;
  std::optional<std::uint64_t> clock_reasons;
  std::optional<std::uint64_t> ecc_corrected, ecc_uncorrected;
  std::optional<unsigned> remapped_rows;
  std::optional<std::map<pid_t, std::uint64_t>> processes;
  std::optional<std::map<pid_t, unsigned>> busy_percents;  // by process
};

struct DriverVersions {
  std::optional<std::string> driver, nvml;
  std::optional<int> cuda;  // 13000 is 13.0
};

DriverVersions ReadVersions(const Nvml& nvml);
GpuIdentity ReadIdentity(const Nvml& nvml, const NvmlDevice& device);
GpuReading ReadGpu(const Nvml& nvml, const NvmlDevice& device);

// What slows a GPU down, out of `clock_reasons`: "powerLimit", "heat" and the like. To be idle, and
// what somebody set, is none.
std::vector<std::string> SlowdownsIn(std::uint64_t clock_reasons);

// True if the driver can limit device memory by cgroup itself.
bool HasKernelLimits(const Nvml& nvml);

}  // namespace yard::slice
