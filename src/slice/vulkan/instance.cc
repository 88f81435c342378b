#include <string.h>

#include <vulkan/vk_layer.h>

#include "slice/vulkan/layer.h"
#include "slice/vulkan/slice_books.h"

namespace yard::slice::vulkan {
namespace {

constexpr std::uint32_t kNvidia = 0x10de;
// Tells which GPU a physical device is; part of Vulkan from 1.1 on.
constexpr const char* kNeeded = VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME;

VkLayerInstanceCreateInfo* LinkOf(const VkInstanceCreateInfo& info) {
  for (auto* at = static_cast<const VkBaseInStructure*>(info.pNext); at != nullptr;
       at = at->pNext) {
    auto* const link =
        reinterpret_cast<VkLayerInstanceCreateInfo*>(const_cast<VkBaseInStructure*>(at));
    if (at->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
        link->function == VK_LAYER_LINK_INFO)
      return link;
  }
  return nullptr;
}

bool KnowsIds(const VkInstanceCreateInfo& info) {
  const VkApplicationInfo* const application = info.pApplicationInfo;
  if (application != nullptr && application->apiVersion >= VK_API_VERSION_1_1) return true;
  for (std::uint32_t i = 0; i < info.enabledExtensionCount; ++i)
    if (strcmp(info.ppEnabledExtensionNames[i], kNeeded) == 0) return true;
  return false;
}

template <class Function>
void Get(const InstanceRecord& own, const char* name, Function* out) {
  *out = reinterpret_cast<Function>(own.next(own.handle, name));
}

bool Remember(VkInstance instance, PFN_vkGetInstanceProcAddr next) {
  auto* const own = NewRecord<InstanceRecord>();
  if (own == nullptr) return false;
  own->key = KeyOf(instance);
  own->handle = instance;
  own->next = next;
  Get(*own, "vkDestroyInstance", &own->destroy);
  Get(*own, "vkGetPhysicalDeviceProperties", &own->properties);
  Get(*own, "vkGetPhysicalDeviceMemoryProperties", &own->memory);
  Get(*own, "vkGetPhysicalDeviceProperties2", &own->properties2);
  if (own->properties2 == nullptr)
    Get(*own, "vkGetPhysicalDeviceProperties2KHR", &own->properties2);
  Get(*own, "vkGetPhysicalDeviceMemoryProperties2", &own->memory2);
  if (own->memory2 == nullptr) Get(*own, "vkGetPhysicalDeviceMemoryProperties2KHR", &own->memory2);
  g_instances.Add(own);
  return true;
}

// The driver's instance, with the extension that tells GPUs apart if the program did not ask for
// it.
VkResult Create(const VkInstanceCreateInfo& info, VkLayerInstanceCreateInfo& link,
                const VkAllocationCallbacks* allocator, VkInstance* instance) {
  const PFN_vkGetInstanceProcAddr next = link.u.pLayerInfo->pfnNextGetInstanceProcAddr;
  auto* const create =
      reinterpret_cast<PFN_vkCreateInstance>(next(VK_NULL_HANDLE, "vkCreateInstance"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  VkLayerInstanceLink* const below = link.u.pLayerInfo->pNext;
  link.u.pLayerInfo = below;
  if (KnowsIds(info)) return create(&info, allocator, instance);
  const std::size_t count = info.enabledExtensionCount;
  const std::size_t bytes = (count + 1) * sizeof(char*);
  auto** const names = static_cast<const char**>(TakePages(bytes));
  if (names == nullptr) return VK_ERROR_OUT_OF_HOST_MEMORY;
  if (count > 0) memcpy(names, info.ppEnabledExtensionNames, count * sizeof(char*));
  names[count] = kNeeded;
  VkInstanceCreateInfo more = info;
  more.enabledExtensionCount++;
  more.ppEnabledExtensionNames = names;
  VkResult result = create(&more, allocator, instance);
  munmap(names, bytes);
  if (result != VK_ERROR_EXTENSION_NOT_PRESENT) return result;
  link.u.pLayerInfo = below;
  return create(&info, allocator, instance);
}

Known Ask(const InstanceRecord& own, VkPhysicalDevice device) {
  VkPhysicalDeviceIDProperties id{};
  id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &id;
  const Books* const books = SliceBooks();
  Known known{device, kNotOfSlice, false};
  if (own.properties2 != nullptr) {
    own.properties2(device, &all);
    Uuid uuid;
    static_assert(sizeof(uuid.bytes) == VK_UUID_SIZE);
    memcpy(uuid.bytes, id.deviceUUID, VK_UUID_SIZE);
    if (books != nullptr) known.gpu = books->gpu_of(uuid);
  } else {
    own.properties(device, &all.properties);
  }
  known.of_nvidia = all.properties.vendorID == kNvidia;
  return known;
}

}  // namespace

constinit Records<InstanceRecord> g_instances;

Known KnownOf(InstanceRecord& own, VkPhysicalDevice device) {
  {
    Locked hold(own.lock);
    for (int i = 0; i < own.known_count; ++i)
      if (own.known[i].device == device) return own.known[i];
  }
  const Known known = Ask(own, device);
  Locked hold(own.lock);
  if (own.known_count < kMostKnown) own.known[own.known_count++] = known;
  return known;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* allocator,
                                              VkInstance* instance) {
  VkLayerInstanceCreateInfo* const link = LinkOf(*info);
  if (link == nullptr || link->u.pLayerInfo == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const VkResult result = Create(*info, *link, allocator, instance);
  if (result != VK_SUCCESS || Remember(*instance, next)) return result;
  auto* const destroy =
      reinterpret_cast<PFN_vkDestroyInstance>(next(*instance, "vkDestroyInstance"));
  destroy(*instance, allocator);
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyInstance(VkInstance instance,
                                           const VkAllocationCallbacks* allocator) {
  if (instance == VK_NULL_HANDLE) return;
  InstanceRecord* const own = g_instances.Take(KeyOf(instance));
  if (own == nullptr) return;
  own->destroy(instance, allocator);
  DropRecord(own);
}

}  // namespace yard::slice::vulkan
