// A Vulkan device without a window, as the test program uses it: opened by the loader's name.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace yard::slice::client {

struct Heaps {
  std::uint64_t total = 0;   // of the GPU's own memory
  std::uint64_t budget = 0;  // 0 where the driver tells none
};

class VulkanDevice {
 public:
  // The instance, and the physical device of that number. A Vulkan code, or -1000: no loader.
  int Open(std::uint32_t api_version, std::uint32_t number);
  // "GPU-…" as NVML writes it, then the device's name.
  std::string Name() const;
  // The logical device.
  int Start();
  int Stop();  // with whatever it still holds

  Heaps ReadHeaps() const;
  // On the GPU, or with `kHost` in host memory where there is any apart.
  enum class Where { kGpu, kHost };
  int Allocate(std::uint64_t bytes, Where where = Where::kGpu);
  int Free(std::size_t index);
  void FreeAll();
  std::size_t count() const { return held_.size(); }
  // Memory that others may open, and a descriptor of it; -1 if the driver has none.
  int AllocateShared(std::uint64_t bytes, int* descriptor);
  // Opens memory of somebody else, whose descriptor this is.
  int Import(std::uint64_t bytes, int descriptor);

 private:
  template <class Function>
  Function Get(const char* name) const {
    return reinterpret_cast<Function>(find_(instance_, name));
  }
  template <class Function>
  Function GetOfDevice(const char* name) const {
    return reinterpret_cast<Function>(find_in_device_(device_, name));
  }
  int MakeInstance(std::uint32_t api_version);
  std::vector<std::string> Offered() const;
  std::optional<std::uint32_t> TypeOf(Where where) const;
  int Take(VkMemoryAllocateInfo info);
  VkPhysicalDeviceMemoryProperties Memory() const;

  PFN_vkGetInstanceProcAddr find_ = nullptr;
  PFN_vkGetDeviceProcAddr find_in_device_ = nullptr;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  bool shares_ = false;   // the driver gives descriptors of memory
  bool knows_2_ = false;  // the instance has the second version of queries
  std::vector<VkDeviceMemory> held_;
};

}  // namespace yard::slice::client
