#include "engine/local/gpu/device_nodes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "base/file.h"
#include "base/strings.h"

namespace yard::engine {
namespace {

// The driver's own number on every Linux; it gets the others when it is loaded. Guarded even while
// there is no driver, since one may be loaded while the task runs.
constexpr std::uint32_t kGpuMajor = 195;
constexpr std::uint32_t kModesetMinor = 254;
constexpr std::uint32_t kControlMinor = 255;

constexpr std::string_view kInstances = "nvidia-caps";
// For every process that uses any GPU. They hand out nothing of a GPU that cannot be opened.
constexpr std::array<std::string_view, 3> kShared = {"nvidia-uvm", "nvidia-fs",
                                                     "nvidia-caps-imex-channels"};

struct Driver {
  std::uint32_t major = 0;
  std::string name;
};

std::optional<std::uint32_t> Number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "Character devices:\n  1 mem\n195 nvidia\n…\n\nBlock devices:\n…"
std::vector<Driver> CharacterDrivers(std::string_view text) {
  std::vector<Driver> drivers;
  for (std::string_view line : Split(text, '\n')) {
    if (line.starts_with("Block")) break;
    line = Trim(line);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
    if (const auto major = Number(line.substr(0, space)))
      drivers.push_back({*major, std::string(Trim(line.substr(space)))});
  }
  return drivers;
}

bool IsShared(std::string_view name) {
  return std::ranges::find(kShared, name) != kShared.end();
}

// "DeviceFileMinor: 12"
std::optional<std::uint32_t> CapabilityMinor(const std::string& path) {
  const std::string text = ReadFileOrEmpty(path);
  for (std::string_view line : Split(text, '\n'))
    if (line.starts_with("DeviceFileMinor:")) return Number(Trim(line.substr(line.find(':') + 1)));
  return std::nullopt;
}

void GrantInstance(const GpuNode& gpu, std::uint32_t major, const std::string& proc,
                   DeviceAccess& access) {
  if (!gpu.gpu_instance || !gpu.compute_instance) return;
  const std::string instance = fmt::format("{}/driver/nvidia/capabilities/gpu{}/mig/gi{}", proc,
                                           gpu.minor, *gpu.gpu_instance);
  for (const std::string& path :
       {instance + "/access", fmt::format("{}/ci{}/access", instance, *gpu.compute_instance)})
    if (const auto minor = CapabilityMinor(path)) access.granted.push_back({major, *minor});
}

}  // namespace

DeviceAccess AccessTo(std::span<const GpuNode> gpus, const std::string& proc) {
  DeviceAccess access{.guarded = {kGpuMajor}, .granted = {}};
  const std::string devices = ReadFileOrEmpty(proc + "/devices");
  for (const Driver& driver : CharacterDrivers(devices)) {
    if (!driver.name.starts_with("nvidia") || (!gpus.empty() && IsShared(driver.name))) continue;
    access.guarded.push_back(driver.major);
    if (driver.name != kInstances) continue;
    for (const GpuNode& gpu : gpus) GrantInstance(gpu, driver.major, proc, access);
  }
  std::ranges::sort(access.guarded);
  access.guarded.erase(std::ranges::unique(access.guarded).begin(), access.guarded.end());
  if (gpus.empty()) return access;
  for (const GpuNode& gpu : gpus)
    access.granted.push_back({kGpuMajor, static_cast<std::uint32_t>(gpu.minor)});
  access.granted.push_back({kGpuMajor, kModesetMinor});
  access.granted.push_back({kGpuMajor, kControlMinor});
  return access;
}

}  // namespace yard::engine
