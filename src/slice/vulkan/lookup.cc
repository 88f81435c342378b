// How the loader and programs find the layer's functions.
#include <string.h>

#include <vulkan/vk_layer.h>

#include "slice/vulkan/layer.h"

namespace yard::slice::vulkan {
namespace {

enum class Of { kLoader, kInstance, kDevice };

struct Ours {
  const char* name;
  Of of;
  PFN_vkVoidFunction function;
};

template <class Function>
PFN_vkVoidFunction Untyped(Function* function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

// A list made when it is asked for: a table of addresses would be filled in by a constructor.
PFN_vkVoidFunction Find(const char* name, Of* of) {
  const Ours ours[] = {
      {"vkGetInstanceProcAddr", Of::kLoader, Untyped(GetInstanceProcAddr)},
      {"vkCreateInstance", Of::kLoader, Untyped(CreateInstance)},
      {"vkDestroyInstance", Of::kInstance, Untyped(DestroyInstance)},
      {"vkGetPhysicalDeviceMemoryProperties", Of::kInstance, Untyped(MemoryProperties)},
      {"vkGetPhysicalDeviceMemoryProperties2", Of::kInstance, Untyped(MemoryProperties2)},
      {"vkGetPhysicalDeviceMemoryProperties2KHR", Of::kInstance, Untyped(MemoryProperties2)},
      {"vkCreateDevice", Of::kInstance, Untyped(CreateDevice)},
      {"vkGetDeviceProcAddr", Of::kDevice, Untyped(GetDeviceProcAddr)},
      {"vkDestroyDevice", Of::kDevice, Untyped(DestroyDevice)},
      {"vkAllocateMemory", Of::kDevice, Untyped(AllocateMemory)},
      {"vkFreeMemory", Of::kDevice, Untyped(FreeMemory)},
  };
  for (const Ours& one : ours) {
    if (strcmp(one.name, name) != 0) continue;
    *of = one.of;
    return one.function;
  }
  return nullptr;
}

}  // namespace

// Ours only where the driver has the function too.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance,
                                                             const char* name) {
  Of of{};
  const PFN_vkVoidFunction ours = Find(name, &of);
  if (ours != nullptr && of == Of::kLoader) return ours;
  if (instance == VK_NULL_HANDLE) return nullptr;
  InstanceRecord* const own = g_instances.Find(KeyOf(instance));
  if (own == nullptr) return nullptr;
  const PFN_vkVoidFunction theirs = own->next(instance, name);
  return theirs != nullptr && ours != nullptr ? ours : theirs;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name) {
  DeviceRecord* const own = g_devices.Find(KeyOf(device));
  if (own == nullptr) return nullptr;
  Of of{};
  const PFN_vkVoidFunction ours = Find(name, &of);
  return ours != nullptr && of == Of::kDevice ? ours : own->next(device, name);
}

}  // namespace yard::slice::vulkan

// NOLINTBEGIN(readability-identifier-naming): the loader's name for it
extern "C" [[gnu::visibility("default")]] VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* asked) {
  constexpr std::uint32_t kVersion = 2;
  if (asked == nullptr || asked->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
      asked->loaderLayerInterfaceVersion < kVersion)
    return VK_ERROR_INITIALIZATION_FAILED;
  asked->loaderLayerInterfaceVersion = kVersion;
  asked->pfnGetInstanceProcAddr = yard::slice::vulkan::GetInstanceProcAddr;
  asked->pfnGetDeviceProcAddr = yard::slice::vulkan::GetDeviceProcAddr;
  asked->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
// NOLINTEND(readability-identifier-naming)
