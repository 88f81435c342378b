// The kernel's limits of device memory: the controller `dmem` of control groups v2 (Linux 6.14 and
// later), for GPUs whose driver has registered its memory there.
//
// Regions are found by the GPU's bus address in their name, as in
// "drm/0000:03:00.0/vram0 8514437120" of the root's dmem.capacity. Plain data after Read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace yard::engine {

class DeviceMemory {
 public:
  // What the tree mounted at `mount` offers.
  static DeviceMemory Read(const std::string& mount);

  // Whether the memory of the GPU at that address ("00000000:3B:00.0") can be limited.
  bool Knows(std::string_view address) const { return !RegionsAt(address).empty(); }

  // What to write into dmem.max or dmem.min, one entry per write.
  std::vector<std::string> EntriesFor(std::string_view address, Mebibytes amount) const;

 private:
  std::vector<std::string> RegionsAt(std::string_view address) const;

  std::vector<std::string> regions_;
};

}  // namespace yard::engine
