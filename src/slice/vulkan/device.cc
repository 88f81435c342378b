// Logical devices and their memory.
#include <vulkan/vk_layer.h>

#include "slice/vulkan/layer.h"
#include "slice/vulkan/slice_books.h"

namespace yard::slice::vulkan {
namespace {

// What NVIDIA's driver takes memory in for Vulkan, whatever its size (seen with NVML on an H200).
constexpr VkDeviceSize kUnit = 64 << 10;

VkLayerDeviceCreateInfo* LinkOf(const VkDeviceCreateInfo& info) {
  for (auto* at = static_cast<const VkBaseInStructure*>(info.pNext); at != nullptr;
       at = at->pNext) {
    auto* const link =
        reinterpret_cast<VkLayerDeviceCreateInfo*>(const_cast<VkBaseInStructure*>(at));
    if (at->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
        link->function == VK_LAYER_LINK_INFO)
      return link;
  }
  return nullptr;
}

// One instance of memory on each of several GPUs is more than one charge knows.
bool SpansGpus(const VkDeviceCreateInfo& info) {
  const auto* const group = FindIn<VkDeviceGroupDeviceCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO);
  return group != nullptr && group->physicalDeviceCount > 1;
}

template <class Function>
void Get(const DeviceRecord& own, const char* name, Function* out) {
  *out = reinterpret_cast<Function>(own.next(own.handle, name));
}

DeviceRecord* RecordOf(VkDevice device, PFN_vkGetDeviceProcAddr next) {
  auto* const own = NewRecord<DeviceRecord>();
  if (own == nullptr) return nullptr;
  own->key = KeyOf(device);
  own->handle = device;
  own->next = next;
  Get(*own, "vkDestroyDevice", &own->destroy);
  Get(*own, "vkAllocateMemory", &own->allocate);
  Get(*own, "vkFreeMemory", &own->free);
  return own;
}

void MarkCounted(const InstanceRecord& instance, VkPhysicalDevice physical, DeviceRecord* own) {
  VkPhysicalDeviceMemoryProperties memory{};
  instance.memory(physical, &memory);
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const VkMemoryHeap& heap = memory.memoryHeaps[memory.memoryTypes[i].heapIndex];
    own->counted[i] = (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
  }
}

// Memory that somebody else has made, and pays for.
bool IsImported(const VkMemoryAllocateInfo& info) {
  const auto* const from_file =
      FindIn<VkImportMemoryFdInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  const auto* const from_host = FindIn<VkImportMemoryHostPointerInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  return (from_file != nullptr && from_file->handleType != 0) ||
         (from_host != nullptr && from_host->handleType != 0);
}

// 0: it takes nothing of the slice.
std::uint64_t BytesOf(const DeviceRecord& own, const VkMemoryAllocateInfo& info) {
  if (own.gpu == kNotOfSlice || info.memoryTypeIndex >= VK_MAX_MEMORY_TYPES) return 0;
  if (!own.counted[info.memoryTypeIndex] || IsImported(info)) return 0;
  const VkDeviceSize units =
      info.allocationSize / kUnit + (info.allocationSize % kUnit != 0 ? 1 : 0);
  return units * kUnit;
}

// Non-dispatchable handles are pointers in 64-bit programs.
std::uint64_t NumberOf(const void* handle) {
  return reinterpret_cast<std::uint64_t>(handle);
}

}  // namespace

constinit Records<DeviceRecord> g_devices;

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkDevice* device) {
  InstanceRecord& instance = InstanceOf(physical);
  const Known known = KnownOf(instance, physical);
  const bool of_slice = known.gpu != kNotOfSlice;
  VkLayerDeviceCreateInfo* const link = LinkOf(*info);
  if (link == nullptr || link->u.pLayerInfo == nullptr || (of_slice && SpansGpus(*info)) ||
      (!of_slice && known.of_nvidia))
    return VK_ERROR_INITIALIZATION_FAILED;
  const VkLayerDeviceLink& here = *link->u.pLayerInfo;
  link->u.pLayerInfo = here.pNext;
  auto* const create = reinterpret_cast<PFN_vkCreateDevice>(
      here.pfnNextGetInstanceProcAddr(instance.handle, "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = create(physical, info, allocator, device);
  if (result != VK_SUCCESS) return result;
  DeviceRecord* const own = RecordOf(*device, here.pfnNextGetDeviceProcAddr);
  if (own != nullptr && (!of_slice || SliceBooks()->enter(known.gpu))) {
    own->gpu = known.gpu;
    MarkCounted(instance, physical, own);
    g_devices.Add(own);
    return VK_SUCCESS;
  }
  auto* const destroy = reinterpret_cast<PFN_vkDestroyDevice>(
      here.pfnNextGetDeviceProcAddr(*device, "vkDestroyDevice"));
  destroy(*device, allocator);
  if (own == nullptr) return VK_ERROR_OUT_OF_HOST_MEMORY;
  DropRecord(own);
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyDevice(VkDevice device, const VkAllocationCallbacks* allocator) {
  if (device == VK_NULL_HANDLE) return;
  DeviceRecord* const own = g_devices.Take(KeyOf(device));
  if (own == nullptr) return;
  own->destroy(device, allocator);
  if (own->gpu != kNotOfSlice) SliceBooks()->leave(NumberOf(device));
  DropRecord(own);
}

VKAPI_ATTR VkResult VKAPI_CALL AllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                                              const VkAllocationCallbacks* allocator,
                                              VkDeviceMemory* memory) {
  const DeviceRecord& own = *g_devices.Find(KeyOf(device));
  const std::uint64_t bytes = BytesOf(own, *info);
  if (bytes == 0) return own.allocate(device, info, allocator, memory);
  const Books& books = *SliceBooks();
  if (!books.reserve(own.gpu, bytes)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  const VkResult result = own.allocate(device, info, allocator, memory);
  if (result == VK_SUCCESS)
    books.keep(own.gpu, {NumberOf(device), NumberOf(*memory), bytes});
  else
    books.release(own.gpu, bytes);
  return result;
}

// Taken off the list before the driver frees it: right after, another thread may have the same
// handle again.
VKAPI_ATTR void VKAPI_CALL FreeMemory(VkDevice device, VkDeviceMemory memory,
                                      const VkAllocationCallbacks* allocator) {
  const DeviceRecord& own = *g_devices.Find(KeyOf(device));
  const std::uint64_t bytes = own.gpu == kNotOfSlice || memory == VK_NULL_HANDLE
                                  ? 0
                                  : SliceBooks()->forget(NumberOf(device), NumberOf(memory));
  own.free(device, memory, allocator);
  if (bytes > 0) SliceBooks()->release(own.gpu, bytes);
}

}  // namespace yard::slice::vulkan
