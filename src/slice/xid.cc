#include "slice/xid.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace yard::slice {
namespace {

constexpr unsigned long long kXidEvents = 8;
constexpr int kMostAtOnce = 64;

struct EventData {
  void* device;
  unsigned long long type;
  unsigned long long data;
  unsigned gpu_instance, compute_instance;
};

struct Known {
  std::uint64_t code;
  std::string_view words;
};

// Those after which the GPU needs a reset or a repair.
constexpr std::array kFaults = {
    Known{48, "a memory error that could not be corrected"},
    Known{62, "the GPU's own processor has stopped"},
    Known{64, "a broken row of memory could not be replaced"},
    Known{74, "an NVLink error"},
    Known{79, "the GPU has fallen off the bus"},
    Known{95, "a memory error that was not contained"},
    Known{119, "the GPU's system processor does not answer"},
    Known{120, "the GPU's system processor has failed"},
};

}  // namespace

bool IsFault(std::uint64_t code) {
  return std::ranges::find(kFaults, code, &Known::code) != kFaults.end();
}

std::string Describe(std::uint64_t code) {
  const auto* const known = std::ranges::find(kFaults, code, &Known::code);
  const std::string name = "XID " + std::to_string(code);
  return known == kFaults.end() ? name : name + ": " + std::string(known->words);
}

XidWatch::XidWatch(const Nvml& nvml) : nvml_(nvml) {
  if (nvml_.Call("nvmlEventSetCreate", &set_) != Nvml::kOk) {
    set_ = nullptr;
    return;
  }
  std::vector<void*> gpus;
  for (const NvmlDevice& device : nvml_.Devices())
    gpus.push_back(device.parent == nullptr ? device.handle : device.parent);
  std::ranges::sort(gpus);
  gpus.erase(std::ranges::unique(gpus).begin(), gpus.end());
  for (void* const gpu : gpus) nvml_.Call("nvmlDeviceRegisterEvents", gpu, kXidEvents, set_);
}

std::vector<Xid> XidWatch::Poll() {
  std::vector<Xid> found;
  EventData event{};
  for (int i = 0; set_ != nullptr && i < kMostAtOnce; ++i) {
    if (nvml_.Call("nvmlEventSetWait_v2", set_, &event, 0U) != Nvml::kOk) break;
    if (event.type == kXidEvents) found.push_back({event.device, event.data});
  }
  return found;
}

}  // namespace yard::slice
