// How near the GPUs of a machine are to each other, by NVML.
//
// It changes only with the hardware, and asking takes many calls: ask once.
// Threads: any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slice/closeness.h"
#include "slice/nvml.h"

namespace yard::slice {

struct Neighbour {
  std::string uuid;
  std::optional<Closeness> closeness;  // absent: NVML does not say
  std::optional<unsigned> nvlinks;     // active ones that lead there
};

// One list for each of the devices, in their order. Instances of a GPU in MIG mode reach nobody.
std::vector<std::vector<Neighbour>> ReadTopology(const Nvml& nvml,
                                                 const std::vector<NvmlDevice>& devices);

}  // namespace yard::slice
