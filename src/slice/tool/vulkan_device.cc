#include "slice/tool/vulkan_device.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace yard::slice::client {
namespace {

constexpr int kNoLoader = -1000;
constexpr auto kDescriptor = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

std::string TextOf(const std::uint8_t* uuid) {
  std::string text = "GPU-";
  for (unsigned i = 0; i < VK_UUID_SIZE; ++i) {
    char part[4];
    std::snprintf(part, sizeof(part), "%02x", uuid[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += part;
  }
  return text;
}

bool Has(const std::vector<std::string>& names, const char* name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

int VulkanDevice::MakeInstance(std::uint32_t api_version) {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = api_version;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  knows_2_ = api_version >= VK_API_VERSION_1_1;
  return Get<PFN_vkCreateInstance>("vkCreateInstance")(&info, nullptr, &instance_);
}

int VulkanDevice::Open(std::uint32_t api_version, std::uint32_t number) {
  void* const loader = dlopen("libvulkan.so.1", RTLD_NOW);
  if (loader == nullptr) return kNoLoader;
  find_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(loader, "vkGetInstanceProcAddr"));
  if (const int code = MakeInstance(api_version); code != VK_SUCCESS) return code;
  find_in_device_ = Get<PFN_vkGetDeviceProcAddr>("vkGetDeviceProcAddr");
  auto* const enumerate = Get<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices");
  std::uint32_t count = 0;
  enumerate(instance_, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  enumerate(instance_, &count, devices.data());
  if (number >= count) return VK_ERROR_INITIALIZATION_FAILED;
  physical_ = devices[number];
  return VK_SUCCESS;
}

std::string VulkanDevice::Name() const {
  VkPhysicalDeviceIDProperties id{};
  id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &id;
  if (knows_2_)
    Get<PFN_vkGetPhysicalDeviceProperties2>("vkGetPhysicalDeviceProperties2")(physical_, &all);
  else
    Get<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(physical_,
                                                                            &all.properties);
  return TextOf(id.deviceUUID) + " " + all.properties.deviceName;
}

std::vector<std::string> VulkanDevice::Offered() const {
  auto* const enumerate =
      Get<PFN_vkEnumerateDeviceExtensionProperties>("vkEnumerateDeviceExtensionProperties");
  std::uint32_t count = 0;
  enumerate(physical_, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  enumerate(physical_, nullptr, &count, all.data());
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const VkExtensionProperties& one : all) names.emplace_back(one.extensionName);
  return names;
}

int VulkanDevice::Start() {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  const std::vector<std::string> offered = Offered();
  std::vector<const char*> wanted;
  shares_ = knows_2_ && Has(offered, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  if (shares_) wanted.push_back(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  if (knows_2_ && Has(offered, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME))
    wanted.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<std::uint32_t>(wanted.size());
  info.ppEnabledExtensionNames = wanted.data();
  return Get<PFN_vkCreateDevice>("vkCreateDevice")(physical_, &info, nullptr, &device_);
}

int VulkanDevice::Stop() {
  if (device_ == VK_NULL_HANDLE) return VK_ERROR_DEVICE_LOST;
  GetOfDevice<PFN_vkDestroyDevice>("vkDestroyDevice")(std::exchange(device_, VK_NULL_HANDLE),
                                                      nullptr);
  held_.clear();
  return VK_SUCCESS;
}

VkPhysicalDeviceMemoryProperties VulkanDevice::Memory() const {
  VkPhysicalDeviceMemoryProperties memory{};
  Get<PFN_vkGetPhysicalDeviceMemoryProperties>("vkGetPhysicalDeviceMemoryProperties")(physical_,
                                                                                      &memory);
  return memory;
}

Heaps VulkanDevice::ReadHeaps() const {
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{};
  budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT;
  VkPhysicalDeviceMemoryProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
  all.pNext = &budget;
  if (knows_2_)
    Get<PFN_vkGetPhysicalDeviceMemoryProperties2>("vkGetPhysicalDeviceMemoryProperties2")(physical_,
                                                                                          &all);
  const VkPhysicalDeviceMemoryProperties memory = Memory();
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i)
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
      return {memory.memoryHeaps[i].size, budget.heapBudget[i]};
  return {};
}

// On the GPU: the first type that is nothing but that, as a program takes it that fills its GPU.
std::optional<std::uint32_t> VulkanDevice::TypeOf(Where where) const {
  const VkPhysicalDeviceMemoryProperties memory = Memory();
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const VkMemoryHeap& heap = memory.memoryHeaps[memory.memoryTypes[i].heapIndex];
    const bool on_gpu = (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
    if (on_gpu == (where == Where::kGpu) && memory.memoryTypes[i].propertyFlags != 0) return i;
  }
  return std::nullopt;
}

int VulkanDevice::Take(VkMemoryAllocateInfo info) {
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const int code =
      GetOfDevice<PFN_vkAllocateMemory>("vkAllocateMemory")(device_, &info, nullptr, &memory);
  if (code == VK_SUCCESS) held_.push_back(memory);
  return code;
}

int VulkanDevice::Allocate(std::uint64_t bytes, Where where) {
  const auto type = TypeOf(where);
  if (!type) return VK_ERROR_FEATURE_NOT_PRESENT;
  return Take({VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, bytes, *type});
}

int VulkanDevice::AllocateShared(std::uint64_t bytes, int* descriptor) {
  *descriptor = -1;
  const auto type = TypeOf(Where::kGpu);
  if (!type || !shares_) return VK_ERROR_FEATURE_NOT_PRESENT;
  VkExportMemoryAllocateInfo shared{};
  shared.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
  shared.handleTypes = kDescriptor;
  const int code = Take({VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &shared, bytes, *type});
  if (code != VK_SUCCESS) return code;
  const VkMemoryGetFdInfoKHR info{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, nullptr, held_.back(),
                                  kDescriptor};
  return GetOfDevice<PFN_vkGetMemoryFdKHR>("vkGetMemoryFdKHR")(device_, &info, descriptor);
}

int VulkanDevice::Import(std::uint64_t bytes, int descriptor) {
  const auto type = TypeOf(Where::kGpu);
  if (!type || !shares_) return VK_ERROR_FEATURE_NOT_PRESENT;
  const VkImportMemoryFdInfoKHR from{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, nullptr,
                                     kDescriptor, descriptor};
  return Take({VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &from, bytes, *type});
}

int VulkanDevice::Free(std::size_t index) {
  if (index >= held_.size()) return VK_ERROR_UNKNOWN;
  GetOfDevice<PFN_vkFreeMemory>("vkFreeMemory")(device_, held_[index], nullptr);
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(index));
  return VK_SUCCESS;
}

void VulkanDevice::FreeAll() {
  while (!held_.empty()) Free(held_.size() - 1);
}

}  // namespace yard::slice::client
