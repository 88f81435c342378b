#include "engine/local/native/device_memory.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace yard::engine {
namespace {

// NVML writes "00000000:3B:00.0", the kernel "0000:3b:00.0".
std::string KernelAddress(std::string_view address) {
  const std::size_t colon = address.find(':');
  if (colon == std::string_view::npos || colon < 4) return {};
  std::string text(address.substr(colon - 4));
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

DeviceMemory DeviceMemory::Read(const std::string& mount) {
  DeviceMemory memory;
  std::ifstream in(mount + "/dmem.capacity");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string region;
    if (words >> region) memory.regions_.push_back(std::move(region));
  }
  return memory;
}

std::vector<std::string> DeviceMemory::RegionsAt(std::string_view address) const {
  std::vector<std::string> found;
  const std::string wanted = KernelAddress(address);
  if (wanted.empty()) return found;
  for (const std::string& region : regions_)
    if (region.contains(wanted)) found.push_back(region);
  return found;
}

std::vector<std::string> DeviceMemory::EntriesFor(std::string_view address,
                                                  Mebibytes amount) const {
  std::vector<std::string> entries;
  for (const std::string& region : RegionsAt(address))
    entries.push_back(fmt::format("{} {}", region, amount.value << 20));
  return entries;
}

}  // namespace yard::engine
