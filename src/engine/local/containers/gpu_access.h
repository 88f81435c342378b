// How containers get at the GPUs of this machine.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/local/containers/create.h"
#include "engine/task.h"

namespace yard::engine::containers {

// Where the machine describes its GPUs; others in tests.
struct GpuPlaces {
  std::vector<std::string> cdi_folders = {"/etc/cdi", "/var/run/cdi"};
  std::string driver = "/proc/driver/nvidia/gpus";
  std::string devices = "/dev";
};

// By CDI names where a CDI description knows every GPU granted; else the device files. Declared
// GPUs have neither: for them it is empty.
GpuAccess FindGpuAccess(std::span<const GpuGrant> grants, const GpuPlaces& places = {});

// The driver's libraries that lie beside `cuda`, its libcuda.so.1, and that programs load, each at
// its own path: for containers into which no CDI description brings them. In a slice ours stand in
// the place of libcuda and NVML. What the task mounts over the driver's folder is its own.
enum class Stands { kDrivers, kOurs };
std::vector<Bind> DriverBinds(const std::string& cuda, Stands stands,
                              std::span<const Mount> mounts);

}  // namespace yard::engine::containers
