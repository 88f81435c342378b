// Virtual memory management: a physical allocation lives until its last handle is released and
// its last mapping is gone, and so does its charge.
#include <string.h>
#include <sys/mman.h>

#include "slice/cuda/device.h"
#include "slice/cuda/fault.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

constexpr std::uint32_t kFirstPhysical = 1024;

// Room for twice as many; place 0 stays unused so that 0 can end the free list.
bool GrowPhysical(Process& process) {
  const std::uint32_t old = process.physical_capacity;
  const std::uint32_t fresh = old == 0 ? kFirstPhysical : old * 2;
  void* const memory = mmap(nullptr, fresh * sizeof(Physical), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  auto* const table = static_cast<Physical*>(memory);
  if (old != 0) {
    memcpy(table, process.physical, old * sizeof(Physical));
    munmap(process.physical, old * sizeof(Physical));
  }
  for (std::uint32_t i = old == 0 ? 1 : old; i < fresh; ++i) {
    table[i].next_free = process.physical_free;
    process.physical_free = i;
  }
  process.physical = table;
  process.physical_capacity = fresh;
  return true;
}

std::uint32_t NewPhysical(Process& process, int gpu, std::uint64_t bytes) {
  Locked hold(process.physical_lock);
  if (process.physical_free == 0 && !GrowPhysical(process)) return 0;
  const std::uint32_t number = process.physical_free;
  process.physical_free = process.physical[number].next_free;
  process.physical[number] = Physical{bytes, 1, 0, gpu, 0};
  return number;
}

struct Change {
  int handles = 0;
  int maps = 0;
};

// Applies the change; when nothing refers to the memory any more, its charge is released.
void Refer(Process& process, std::uint32_t number, Change change) {
  Physical gone{};
  {
    Locked hold(process.physical_lock);
    Physical& physical = process.physical[number];
    physical.handles += static_cast<std::uint32_t>(change.handles);
    physical.maps += static_cast<std::uint32_t>(change.maps);
    if (physical.handles != 0 || physical.maps != 0) return;
    gone = physical;
    physical.next_free = process.physical_free;
    process.physical_free = number;
  }
  Release(process, gone.gpu, gone.bytes);
}

// A handle entry's `bytes` counts how often the handle was given out.
void Retain(Process& process, AllocHandle handle, std::uint32_t number) {
  Charge entry;
  if (process.handles.Take(handle, &entry)) {
    entry.bytes++;
  } else {
    entry = {handle, 1, number, 0, Kind::kVmm};
  }
  process.handles.Put(entry);
}

}  // namespace

Result MemCreate(AllocHandle* out, std::size_t bytes, const AllocationProp* prop,
                 unsigned long long flags) {
  Process& process = Self();
  const bool device = prop != nullptr && prop->location.type == kLocationDevice;
  if (!device || !Attached(process)) return Call(k_cuMemCreate, out, bytes, prop, flags);
  const int gpu = GpuOfDevice(process, prop->location.id);
  const std::uint64_t taken = RoundUp(bytes, kGranule);
  if (!ReserveOrTrim(process, gpu, taken)) return kOutOfMemory;
  const Result result = Call(k_cuMemCreate, out, bytes, prop, flags);
  YARD_FAULT_POINT();
  if (result != kOk) {
    Release(process, gpu, taken);
    return result;
  }
  const std::uint32_t number = NewPhysical(process, gpu, taken);
  if (number != 0) process.handles.Put({*out, 1, number, 0, Kind::kVmm});
  return result;
}

Result MemRelease(AllocHandle handle) {
  Process& process = Self();
  Charge entry;
  const bool known = process.handles.Take(handle, &entry);
  const Result result = Call(k_cuMemRelease, handle);
  if (!known) return result;
  if (result != kOk || entry.bytes > 1) {
    if (result == kOk) entry.bytes--;
    process.handles.Put(entry);
  }
  if (result == kOk) Refer(process, entry.link, {-1, 0});
  return result;
}

Result MemRetain(AllocHandle* out, void* address) {
  const Result result = Call(k_cuMemRetainAllocationHandle, out, address);
  if (result != kOk) return result;
  Process& process = Self();
  Charge entry;
  if (!process.handles.Find(*out, &entry) &&
      !process.ranges.Find(reinterpret_cast<DevicePtr>(address), &entry))
    return result;
  Retain(process, *out, entry.link);
  Refer(process, entry.link, {1, 0});
  return result;
}

Result MemMap(DevicePtr pointer, std::size_t bytes, std::size_t offset, AllocHandle handle,
              unsigned long long flags) {
  const Result result = Call(k_cuMemMap, pointer, bytes, offset, handle, flags);
  if (result != kOk) return result;
  Process& process = Self();
  Charge entry;
  if (!process.handles.Find(handle, &entry)) return result;
  if (process.ranges.Put({pointer, bytes, entry.link, 0, Kind::kVmm}))
    Refer(process, entry.link, {0, 1});
  return result;
}

// One unmap may cover several mappings, and may cover some that other processes pay for.
Result MemUnmap(DevicePtr pointer, std::size_t bytes) {
  const Result result = Call(k_cuMemUnmap, pointer, bytes);
  if (result != kOk) return result;
  Process& process = Self();
  for (DevicePtr at = pointer; at < pointer + bytes;) {
    Charge entry;
    if (!process.ranges.Take(at, &entry)) {
      at += kGranule;
      continue;
    }
    Refer(process, entry.link, {0, -1});
    at += entry.bytes;
  }
  return result;
}

}  // namespace yard::slice::cuda
