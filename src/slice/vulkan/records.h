// What the layer keeps of each instance and each logical device: the next functions in the chain,
// and which GPU of the slice it means.
//
// A record lives from the creation of its object to its destruction, which by Vulkan's own rules
// nobody overlaps with other calls on the object. Threads: any.
#pragma once

#include <sys/mman.h>

#include <cstddef>

#include <vulkan/vulkan.h>

#include "slice/cuda/once.h"

namespace yard::slice::vulkan {

inline constexpr int kNotOfSlice = -1;

// One physical device as the slice sees it.
struct Known {
  VkPhysicalDevice device;
  int gpu;         // of the slice, or kNotOfSlice
  bool of_nvidia;  // a vendor whose GPUs slices are made of
};

inline constexpr int kMostKnown = 64;

struct InstanceRecord {
  void* key;
  InstanceRecord* after;
  VkInstance handle;
  PFN_vkGetInstanceProcAddr next;
  PFN_vkDestroyInstance destroy;
  PFN_vkGetPhysicalDeviceProperties properties;
  PFN_vkGetPhysicalDeviceProperties2 properties2;  // null: this instance has none
  PFN_vkGetPhysicalDeviceMemoryProperties memory;
  PFN_vkGetPhysicalDeviceMemoryProperties2 memory2;
  SpinLock lock;
  Known known[kMostKnown];  // guarded by lock
  int known_count;          // guarded by lock
};

struct DeviceRecord {
  void* key;
  DeviceRecord* after;
  VkDevice handle;
  int gpu;
  bool counted[VK_MAX_MEMORY_TYPES];  // memory of this type lies on the GPU
  PFN_vkGetDeviceProcAddr next;
  PFN_vkDestroyDevice destroy;
  PFN_vkAllocateMemory allocate;
  PFN_vkFreeMemory free;
};

// Memory of the layer's own, all zero: pages, so that the program's malloc is left alone. Null if
// there is none.
inline void* TakePages(std::size_t bytes) {
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

template <class Record>
Record* NewRecord() {
  return static_cast<Record*>(TakePages(sizeof(Record)));
}

template <class Record>
void DropRecord(Record* record) {
  munmap(record, sizeof(Record));
}

// The loader's dispatch table, which an instance shares with its physical devices and a device with
// its queues.
template <class Handle>
void* KeyOf(Handle handle) {
  return *reinterpret_cast<void**>(handle);
}

// A list of records; they are few.
template <class Record>
class Records {
 public:
  void Add(Record* record) {
    Locked hold(lock_);
    record->after = first_;
    first_ = record;
  }
  Record* Find(const void* key) {
    Locked hold(lock_);
    Record* at = first_;
    while (at != nullptr && at->key != key) at = at->after;
    return at;
  }
  // Null if it is not there.
  Record* Take(const void* key) {
    Locked hold(lock_);
    for (Record** link = &first_; *link != nullptr; link = &(*link)->after) {
      Record* const found = *link;
      if (found->key != key) continue;
      *link = found->after;
      return found;
    }
    return nullptr;
  }

 private:
  SpinLock lock_;
  Record* first_ = nullptr;
};

extern Records<InstanceRecord> g_instances;
extern Records<DeviceRecord> g_devices;

template <class Handle>
InstanceRecord& InstanceOf(Handle handle) {
  return *g_instances.Find(KeyOf(handle));
}

}  // namespace yard::slice::vulkan
