// The functions of Vulkan that the layer stands in front of; signatures are Vulkan's.
//
// Memory on a GPU of the slice is reserved in the slice before the driver is asked (cuda/books.h),
// and the slice's part is shown as the GPU's size. Everything else, and every device that is not of
// the slice, goes straight to the driver; a GPU of NVIDIA's that is not of the slice cannot be
// used. The layer answers codes of its own in two cases only: "out of device memory", and
// "initialization failed" for such a GPU. Threads: as Vulkan says for each function.
#pragma once

#include <vulkan/vulkan.h>

#include "slice/vulkan/records.h"

namespace yard::slice::vulkan {

// instance.cc
VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* allocator,
                                              VkInstance* instance);
VKAPI_ATTR void VKAPI_CALL DestroyInstance(VkInstance instance,
                                           const VkAllocationCallbacks* allocator);
// Which GPU of the slice the physical device is. Asks the driver once.
Known KnownOf(InstanceRecord& own, VkPhysicalDevice device);

// show.cc
VKAPI_ATTR void VKAPI_CALL MemoryProperties(VkPhysicalDevice device,
                                            VkPhysicalDeviceMemoryProperties* properties);
VKAPI_ATTR void VKAPI_CALL MemoryProperties2(VkPhysicalDevice device,
                                             VkPhysicalDeviceMemoryProperties2* properties);

// device.cc
VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkDevice* device);
VKAPI_ATTR void VKAPI_CALL DestroyDevice(VkDevice device, const VkAllocationCallbacks* allocator);
VKAPI_ATTR VkResult VKAPI_CALL AllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                                              const VkAllocationCallbacks* allocator,
                                              VkDeviceMemory* memory);
VKAPI_ATTR void VKAPI_CALL FreeMemory(VkDevice device, VkDeviceMemory memory,
                                      const VkAllocationCallbacks* allocator);

// lookup.cc
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name);

// The first structure of that type in a chain of Vulkan's; null if there is none.
template <class Structure>
const Structure* FindIn(const void* chain, VkStructureType type) {
  for (auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr; at = at->pNext)
    if (at->sType == type) return reinterpret_cast<const Structure*>(at);
  return nullptr;
}

}  // namespace yard::slice::vulkan
