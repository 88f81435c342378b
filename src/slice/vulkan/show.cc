// What a program is told about the GPU's memory: the slice's part, as CUDA shows it.
#include "slice/vulkan/layer.h"
#include "slice/vulkan/slice_books.h"

namespace yard::slice::vulkan {
namespace {

struct Part {
  std::uint64_t total = 0, free = 0;
};

bool FindPart(VkPhysicalDevice device, Part* part) {
  const Known known = KnownOf(InstanceOf(device), device);
  if (known.gpu == kNotOfSlice) return false;
  SliceBooks()->show(known.gpu, &part->total, &part->free);
  return true;
}

bool IsOnGpu(const VkMemoryHeap& heap) {
  return (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
}

VkDeviceSize Least(VkDeviceSize a, VkDeviceSize b) {
  return a < b ? a : b;
}

void Limit(const Part& part, VkPhysicalDeviceMemoryProperties* properties) {
  for (std::uint32_t i = 0; i < properties->memoryHeapCount; ++i) {
    VkMemoryHeap& heap = properties->memoryHeaps[i];
    if (IsOnGpu(heap)) heap.size = Least(heap.size, part.total);
  }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL MemoryProperties(VkPhysicalDevice device,
                                            VkPhysicalDeviceMemoryProperties* properties) {
  InstanceOf(device).memory(device, properties);
  Part part;
  if (FindPart(device, &part)) Limit(part, properties);
}

// The budget of a heap is what the process holds of it and may still get.
VKAPI_ATTR void VKAPI_CALL MemoryProperties2(VkPhysicalDevice device,
                                             VkPhysicalDeviceMemoryProperties2* properties) {
  InstanceOf(device).memory2(device, properties);
  Part part;
  if (!FindPart(device, &part)) return;
  Limit(part, &properties->memoryProperties);
  auto* const budget = const_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(
      FindIn<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
          properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT));
  if (budget == nullptr) return;
  const VkPhysicalDeviceMemoryProperties& heaps = properties->memoryProperties;
  for (std::uint32_t i = 0; i < heaps.memoryHeapCount; ++i) {
    if (!IsOnGpu(heaps.memoryHeaps[i])) continue;
    const VkDeviceSize most = Least(part.total, budget->heapUsage[i] + part.free);
    budget->heapBudget[i] = Least(budget->heapBudget[i], most);
  }
}

}  // namespace yard::slice::vulkan
