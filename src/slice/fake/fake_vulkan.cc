// A Vulkan driver with one GPU, the fake one, as Vulkan's own loader opens it. FOR TESTS ONLY.
//
// It knows devices and their memory and nothing else; what it takes is in the truth that the fake
// NVML reads. With YARD_FAKE_STRANGER set its GPU is another one of the same vendor.
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

#include <unistd.h>

#include <cstring>
#include <mutex>
#include <set>

#include "slice/fake/truth.h"

namespace yard::slice::fake {
namespace {

constexpr std::uint32_t kVendor = 0x10de;
constexpr std::uint64_t kDeviceBytes = 96ULL << 20;  // what the driver keeps for a device
constexpr std::uint64_t kUnit = 64 << 10;

struct Object {
  VK_LOADER_DATA loader;
};
struct Memory {
  std::uint64_t bytes;
};
struct Device {
  VK_LOADER_DATA loader;
  std::mutex mutex;
  std::set<Memory*> held;
};
Object g_gpu;

bool Take(std::uint64_t bytes) {
  if (UsedByAll() + bytes > kTotal - kReserved) return false;
  Own().bytes += bytes;
  return true;
}

template <class Handle, class Thing>
Handle HandleOf(Thing* thing) {
  set_loader_magic_value(thing);
  return reinterpret_cast<Handle>(thing);
}

VkResult CreateInstance(const VkInstanceCreateInfo*, const VkAllocationCallbacks*,
                        VkInstance* out) {
  *out = HandleOf<VkInstance>(new Object{});
  return VK_SUCCESS;
}
void DestroyInstance(VkInstance instance, const VkAllocationCallbacks*) {
  delete reinterpret_cast<Object*>(instance);
}
VkResult EnumerateVersion(std::uint32_t* version) {
  *version = VK_API_VERSION_1_3;
  return VK_SUCCESS;
}

VkResult Tell(std::initializer_list<const char*> names, std::uint32_t* count,
              VkExtensionProperties* out) {
  if (out != nullptr) {
    std::uint32_t at = 0;
    for (const char* const name : names)
      if (at < *count) std::strcpy(out[at++].extensionName, name);
  }
  *count = static_cast<std::uint32_t>(names.size());
  return VK_SUCCESS;
}
VkResult InstanceExtensions(const char*, std::uint32_t* count, VkExtensionProperties* out) {
  return Tell({VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME}, count, out);
}
VkResult DeviceExtensions(VkPhysicalDevice, const char*, std::uint32_t* count,
                          VkExtensionProperties* out) {
  return Tell({VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME},
              count, out);
}

VkResult Enumerate(VkInstance, std::uint32_t* count, VkPhysicalDevice* out) {
  if (out != nullptr && *count > 0) *out = HandleOf<VkPhysicalDevice>(&g_gpu);
  *count = 1;
  return VK_SUCCESS;
}
void Nothing() {}
void Families(VkPhysicalDevice, std::uint32_t* count, VkQueueFamilyProperties* out) {
  if (out != nullptr && *count > 0) *out = {VK_QUEUE_COMPUTE_BIT, 1, 0, {1, 1, 1}};
  *count = 1;
}
void Properties(VkPhysicalDevice, VkPhysicalDeviceProperties* out) {
  *out = {};
  out->apiVersion = VK_API_VERSION_1_3;
  out->vendorID = kVendor;
  out->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  std::strcpy(out->deviceName, kName);
}

template <class Structure>
Structure* Among(void* chain, VkStructureType type) {
  for (auto* at = static_cast<VkBaseOutStructure*>(chain); at != nullptr; at = at->pNext)
    if (at->sType == type) return reinterpret_cast<Structure*>(at);
  return nullptr;
}

void Properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
  Properties(device, &out->properties);
  auto* const id = Among<VkPhysicalDeviceIDProperties>(
      out->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
  if (id == nullptr) return;
  std::memcpy(id->deviceUUID, kUuid, sizeof(kUuid));
  if (Said("YARD_FAKE_STRANGER") != nullptr) id->deviceUUID[15] = 99;
}

void MemoryOf(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* out) {
  *out = {};
  out->memoryTypeCount = out->memoryHeapCount = 2;
  out->memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
  out->memoryTypes[1] = {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, 1};
  out->memoryHeaps[0] = {kTotal - kReserved, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  out->memoryHeaps[1] = {8ULL << 30, 0};
}
void MemoryOf2(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2* out) {
  MemoryOf(device, &out->memoryProperties);
  auto* const budget = Among<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
      out->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  if (budget == nullptr) return;
  budget->heapUsage[0] = Own().bytes;
  budget->heapBudget[0] = Own().bytes + kTotal - kReserved - UsedByAll();
  budget->heapBudget[1] = 8ULL << 30;
}

VkResult CreateDevice(VkPhysicalDevice, const VkDeviceCreateInfo*, const VkAllocationCallbacks*,
                      VkDevice* out) {
  if (!Take(kDeviceBytes)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  *out = HandleOf<VkDevice>(new Device{});
  return VK_SUCCESS;
}
void FreeMemory(VkDevice device, VkDeviceMemory handle, const VkAllocationCallbacks*) {
  auto* const memory = reinterpret_cast<Memory*>(handle);
  if (memory == nullptr) return;
  auto& own = *reinterpret_cast<Device*>(device);
  std::lock_guard hold(own.mutex);
  own.held.erase(memory);
  Own().bytes -= memory->bytes;
  delete memory;
}
void DestroyDevice(VkDevice device, const VkAllocationCallbacks*) {
  auto* const own = reinterpret_cast<Device*>(device);
  while (!own->held.empty())
    FreeMemory(device, reinterpret_cast<VkDeviceMemory>(*own->held.begin()), nullptr);
  delete own;
  Own().bytes -= kDeviceBytes;
}
void GetQueue(VkDevice, std::uint32_t, std::uint32_t, VkQueue* out) {
  *out = VK_NULL_HANDLE;
}

VkResult AllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                        const VkAllocationCallbacks*, VkDeviceMemory* out) {
  const bool imported = Among<VkImportMemoryFdInfoKHR>(const_cast<void*>(info->pNext),
                                                       VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  const bool on_gpu = info->memoryTypeIndex == 0 && !imported;
  const std::uint64_t bytes = on_gpu ? (info->allocationSize + kUnit - 1) / kUnit * kUnit : 0;
  if (!Take(bytes)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  auto* const memory = new Memory{bytes};
  auto& own = *reinterpret_cast<Device*>(device);
  std::lock_guard hold(own.mutex);
  own.held.insert(memory);
  *out = reinterpret_cast<VkDeviceMemory>(memory);
  return VK_SUCCESS;
}
VkResult GetFd(VkDevice, const VkMemoryGetFdInfoKHR*, int* out) {
  *out = dup(0);
  return VK_SUCCESS;
}

PFN_vkVoidFunction Find(const char* name);
PFN_vkVoidFunction OfDevice(VkDevice, const char* name) {
  return Find(name);
}

struct Named {
  const char* name;
  PFN_vkVoidFunction function;
};
template <class Function>
PFN_vkVoidFunction Untyped(Function* function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

PFN_vkVoidFunction Find(const char* name) {
  static const Named all[] = {
      {"vkCreateInstance", Untyped(CreateInstance)},
      {"vkDestroyInstance", Untyped(DestroyInstance)},
      {"vkEnumerateInstanceVersion", Untyped(EnumerateVersion)},
      {"vkEnumerateInstanceExtensionProperties", Untyped(InstanceExtensions)},
      {"vkEnumerateDeviceExtensionProperties", Untyped(DeviceExtensions)},
      {"vkEnumeratePhysicalDevices", Untyped(Enumerate)},
      {"vkGetPhysicalDeviceFeatures", Untyped(Nothing)},
      {"vkGetPhysicalDeviceFormatProperties", Untyped(Nothing)},
      {"vkGetPhysicalDeviceImageFormatProperties", Untyped(Nothing)},
      {"vkGetPhysicalDeviceSparseImageFormatProperties", Untyped(Nothing)},
      {"vkGetPhysicalDeviceQueueFamilyProperties", Untyped(Families)},
      {"vkGetPhysicalDeviceProperties", Untyped(Properties)},
      {"vkGetPhysicalDeviceProperties2", Untyped(Properties2)},
      {"vkGetPhysicalDeviceProperties2KHR", Untyped(Properties2)},
      {"vkGetPhysicalDeviceMemoryProperties", Untyped(MemoryOf)},
      {"vkGetPhysicalDeviceMemoryProperties2", Untyped(MemoryOf2)},
      {"vkGetPhysicalDeviceMemoryProperties2KHR", Untyped(MemoryOf2)},
      {"vkGetDeviceProcAddr", Untyped(OfDevice)},
      {"vkCreateDevice", Untyped(CreateDevice)},
      {"vkDestroyDevice", Untyped(DestroyDevice)},
      {"vkGetDeviceQueue", Untyped(GetQueue)},
      {"vkAllocateMemory", Untyped(AllocateMemory)},
      {"vkFreeMemory", Untyped(FreeMemory)},
      {"vkGetMemoryFdKHR", Untyped(GetFd)},
  };
  for (const Named& one : all)
    if (std::strcmp(one.name, name) == 0) return one.function;
  return nullptr;
}

}  // namespace
}  // namespace yard::slice::fake

#define FAKE_VULKAN extern "C" __attribute__((visibility("default")))

// NOLINTNEXTLINE(readability-identifier-naming): the loader's name for it
FAKE_VULKAN VkResult vk_icdNegotiateLoaderICDInterfaceVersion(std::uint32_t* version) {
  *version = *version < 5 ? *version : 5;
  return VK_SUCCESS;
}

// NOLINTNEXTLINE(readability-identifier-naming): the loader's name for it
FAKE_VULKAN PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance, const char* name) {
  return yard::slice::fake::Find(name);
}
