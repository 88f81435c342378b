// Memory of the fake driver. FOR TESTS ONLY.
#include <algorithm>

#include "slice/fake/fake_state.h"

namespace yard::slice::fake {

State& Get() {
  static State state;
  return state;
}

bool Usable();

bool Take(std::uint64_t bytes) {
  if (UsedByAll() + bytes > kTotal - kReserved) return false;
  Own().bytes += bytes;
  const std::uint64_t now = Shared().taken.fetch_add(bytes) + bytes;
  std::uint64_t most = Shared().most_taken;
  while (now > most && !Shared().most_taken.compare_exchange_weak(most, now)) {
  }
  return true;
}

void Give(std::uint64_t bytes) {
  Own().bytes -= bytes;
  Shared().taken -= bytes;
}

void* NewHandle() {
  State& state = Get();
  state.next += 0x1000;
  return reinterpret_cast<void*>(state.next);
}

namespace {

// An address range of its own, as large as the memory behind it.
bool TakeRange(State& state, std::uint64_t bytes, std::uint64_t* out) {
  if (!Take(bytes)) return false;
  *out = state.next = Up(state.next, kBlock);
  state.next += bytes;
  return true;
}

// In the first block with room at its end, or in a new one.
bool TakeInBlock(State& state, std::uint64_t bytes, std::uint64_t* out) {
  const auto fits = [bytes](const auto& block) { return block.second.top + bytes <= kBlock; };
  auto block = std::ranges::find_if(state.blocks, fits);
  if (block == state.blocks.end()) {
    std::uint64_t base = 0;
    if (!TakeRange(state, kBlock, &base)) return false;
    block = state.blocks.emplace(base, FakeBlock{}).first;
  }
  *out = block->first + block->second.top;
  block->second.top += bytes;
  block->second.live++;
  return true;
}

void GiveLinear(State& state, std::uint64_t pointer, std::uint64_t bytes) {
  const auto block = state.blocks.find(pointer / kBlock * kBlock);
  if (block == state.blocks.end()) return Give(bytes);
  if (--block->second.live > 0) return;
  state.blocks.erase(block);
  Give(kBlock);
}

int Allocate(DevicePtr* out, std::uint64_t bytes) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (!Usable()) return kNotInitialized;
  if (state.current == nullptr) return 201;
  if (out == nullptr || bytes == 0) return kInvalidValue;
  const bool small = bytes < kBlock;
  bytes = small ? Up(bytes, 512) : Up(bytes, kBlock);
  if (small ? !TakeInBlock(state, bytes, out) : !TakeRange(state, bytes, out)) return kOutOfMemory;
  state.pointers[*out] = {bytes, nullptr, state.current, 0};
  return kOk;
}

constexpr std::uint64_t kPoolChunk = 32 << 20;

// The first chunk with room, or a new one; false if the GPU is full.
bool FindChunk(FakePool& pool, std::uint64_t bytes, std::size_t* out) {
  const auto fits = [bytes](const FakeChunk& chunk) { return chunk.bytes - chunk.top >= bytes; };
  auto found = std::ranges::find_if(pool.chunks, fits);
  if (found == pool.chunks.end()) {
    const std::uint64_t growth = Up(bytes, kPoolChunk);
    if (!pool.host && !Take(growth)) return false;
    pool.reserved += growth;
    const auto gone = [](const FakeChunk& chunk) { return chunk.bytes == 0; };
    found = std::ranges::find_if(pool.chunks, gone);
    if (found == pool.chunks.end()) found = pool.chunks.insert(found, FakeChunk{});
    *found = {growth, 0, 0};
  }
  *out = static_cast<std::size_t>(found - pool.chunks.begin());
  return true;
}

int PoolAllocate(DevicePtr* out, std::uint64_t bytes, FakePool* pool, void* stream) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (!Usable()) return kNotInitialized;
  if (state.current == nullptr) return 201;
  bytes = Up(bytes, 512);
  state.next = Up(state.next, 2 << 20);
  if (StreamOf(stream).capturing) {
    StreamOf(stream).captured_bytes += bytes;
    *out = state.next += 4096;
    return kOk;
  }
  std::size_t number = 0;
  if (!FindChunk(*pool, bytes, &number)) return kOutOfMemory;
  pool->chunks[number].top += bytes;
  pool->chunks[number].live += bytes;
  pool->live += bytes;
  *out = state.next;
  state.next += Up(bytes, 4096);
  state.pointers[*out] = {bytes, pool, nullptr, number};
  return kOk;
}

void TrimPool(FakePool& pool, std::uint64_t keep) {
  for (FakeChunk& chunk : pool.chunks) {
    if (chunk.live != 0 || pool.reserved < keep + chunk.bytes) continue;
    if (!pool.host) Give(chunk.bytes);
    pool.reserved -= chunk.bytes;
    chunk = {};
  }
}

void GiveToPool(FakePool& pool, const Pointer& gone) {
  FakeChunk& chunk = pool.chunks[gone.in_chunk];
  pool.live -= gone.bytes;
  chunk.live -= gone.bytes;
  if (chunk.live == 0) chunk.top = 0;
}

int Free(std::uint64_t pointer) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (!Usable()) return kNotInitialized;
  const auto found = state.pointers.find(pointer);
  if (found == state.pointers.end()) return kInvalidValue;
  if (found->second.pool != nullptr)
    GiveToPool(*found->second.pool, found->second);
  else
    GiveLinear(state, pointer, found->second.bytes);
  state.pointers.erase(found);
  return kOk;
}

int NewArray(void** out, std::uint64_t bytes) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (!Usable() || state.current == nullptr) return 201;
  if (!Take(bytes)) return kOutOfMemory;
  *out = NewHandle();
  state.arrays[*out] = {bytes, state.current};
  return kOk;
}

std::uint64_t Texels(const Array3dDesc& d, unsigned levels = 1) {
  const auto one = [](std::size_t n) { return n == 0 ? std::size_t{1} : n; };
  const unsigned size = d.format == 0x20 ? 4 : d.format == 0x10 ? 2 : d.format == 0x01 ? 1 : 0;
  const std::uint64_t texel = size == 0 ? 16 : size * d.channels;
  std::uint64_t bytes = 0;
  for (unsigned l = 0; l < levels; ++l)
    bytes += Up(one(d.width >> l) * one(d.height >> l) * one(d.depth >> l) * texel, 64 << 10);
  return bytes > (1 << 20) ? Up(bytes, 2 << 20) : bytes;
}

void DropPhysical(State& state, std::uint64_t handle) {
  FakePhysical& physical = state.physical[handle];
  if (physical.handles > 0 || physical.maps > 0) return;
  Give(physical.bytes);
  state.physical.erase(handle);
}

}  // namespace

void DropContext(State& state, const void* context) {
  std::erase_if(state.pointers, [&](const auto& entry) {
    if (entry.second.context != context) return false;
    GiveLinear(state, entry.first, entry.second.bytes);
    return true;
  });
  std::erase_if(state.arrays, [&](const auto& entry) {
    if (entry.second.context != context) return false;
    Give(entry.second.bytes);
    return true;
  });
}

FAKE_API cuMemAlloc_v2(DevicePtr* out, std::size_t n) {
  return Allocate(out, n);
}
FAKE_API cuMemAllocPitch_v2(DevicePtr* out, std::size_t* pitch, std::size_t w, std::size_t h,
                            unsigned) {
  *pitch = Up(w, 512);
  return Allocate(out, *pitch * h);
}
FAKE_API cuMemAllocManaged(DevicePtr* out, std::size_t n, unsigned) {
  return Allocate(out, Up(n, kBlock));
}
FAKE_API cuMemFree_v2(DevicePtr p) {
  return Free(p);
}
FAKE_API cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  if (Get().current == nullptr) return 201;
  if (free != nullptr) *free = kTotal - kReserved - UsedByAll();
  if (total != nullptr) *total = kTotal - kReserved;
  return kOk;
}
FAKE_API cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = kTotal - kReserved;
  return kOk;
}
FAKE_API cuMemAllocAsync(DevicePtr* out, std::size_t n, void* stream) {
  return PoolAllocate(out, n, Get().current_pool, stream);
}
FAKE_API cuMemAllocAsync_ptsz(DevicePtr* out, std::size_t n, void* stream) {
  return PoolAllocate(out, n, Get().current_pool, stream);
}
FAKE_API cuMemAllocFromPoolAsync(DevicePtr* out, std::size_t n, void* pool, void* stream) {
  return PoolAllocate(out, n, static_cast<FakePool*>(pool), stream);
}
FAKE_API cuMemAllocFromPoolAsync_ptsz(DevicePtr* out, std::size_t n, void* pool, void* stream) {
  return PoolAllocate(out, n, static_cast<FakePool*>(pool), stream);
}
FAKE_API cuMemFreeAsync(DevicePtr p, void*) {
  return Free(p);
}
FAKE_API cuMemFreeAsync_ptsz(DevicePtr p, void*) {
  return Free(p);
}
FAKE_API cuMemPoolCreate(void** out, const PoolProps* props) {
  auto* const pool = new FakePool;
  pool->host = props->location.type != kLocationDevice;
  *out = pool;
  return kOk;
}
FAKE_API cuMemPoolDestroy(void* handle) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  auto* const pool = static_cast<FakePool*>(handle);
  if (pool->live != 0) return kInvalidValue;
  TrimPool(*pool, 0);
  delete pool;
  return kOk;
}
FAKE_API cuMemPoolTrimTo(void* pool, std::size_t keep) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  TrimPool(*static_cast<FakePool*>(pool), keep);
  return kOk;
}
FAKE_API cuMemPoolSetAttribute(void*, int, void*) {
  return kOk;
}
FAKE_API cuMemPoolGetAttribute(void* pool, int attribute, void* value) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (attribute != kPoolReservedCurrent) return kInvalidValue;
  *static_cast<std::uint64_t*>(value) = static_cast<FakePool*>(pool)->reserved;
  return kOk;
}
FAKE_API cuDeviceGetMemPool(void** out, int) {
  *out = Get().current_pool;
  return kOk;
}
FAKE_API cuDeviceGetDefaultMemPool(void** out, int device) {
  if (device != 0) return 101;
  *out = &Get().default_pool;
  return kOk;
}
FAKE_API cuMemCreate(std::uint64_t* out, std::size_t n, const AllocationProp* prop,
                     unsigned long long) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (!Usable()) return kNotInitialized;
  const bool device = prop->location.type == kLocationDevice;
  if (n % (2 << 20) != 0) return kInvalidValue;
  if (device && !Take(n)) return kOutOfMemory;
  *out = reinterpret_cast<std::uint64_t>(NewHandle());
  state.physical[*out] = {device ? n : 0, 1, 0};
  return kOk;
}
FAKE_API cuMemRelease(std::uint64_t handle) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  const auto found = state.physical.find(handle);
  if (found == state.physical.end() || found->second.handles == 0) return kInvalidValue;
  found->second.handles--;
  DropPhysical(state, handle);
  return kOk;
}
FAKE_API cuMemRetainAllocationHandle(std::uint64_t* out, void* address) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  const auto found = state.mappings.find(reinterpret_cast<std::uint64_t>(address));
  if (found == state.mappings.end()) return kInvalidValue;
  *out = found->second.handle;
  state.physical[*out].handles++;
  return kOk;
}
FAKE_API cuMemAddressReserve(DevicePtr* out, std::size_t n, std::size_t, DevicePtr,
                             unsigned long long) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  state.next = Up(state.next, 2 << 20);
  *out = state.next;
  state.next += Up(n, 2 << 20);
  return kOk;
}
FAKE_API cuMemAddressFree(DevicePtr, std::size_t) {
  return kOk;
}
FAKE_API cuMemSetAccess(DevicePtr, std::size_t, const void*, std::size_t) {
  return kOk;
}
FAKE_API cuMemMap(DevicePtr p, std::size_t n, std::size_t, std::uint64_t handle,
                  unsigned long long) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  const auto found = state.physical.find(handle);
  if (found == state.physical.end() || state.mappings.contains(p)) return kInvalidValue;
  found->second.maps++;
  state.mappings[p] = {n, handle};
  return kOk;
}
FAKE_API cuMemUnmap(DevicePtr p, std::size_t n) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (!state.mappings.contains(p)) return kInvalidValue;
  for (auto at = state.mappings.lower_bound(p); at != state.mappings.end() && at->first < p + n;) {
    const std::uint64_t handle = at->second.handle;
    at = state.mappings.erase(at);
    state.physical[handle].maps--;
    DropPhysical(state, handle);
  }
  return kOk;
}
FAKE_API cuArrayCreate_v2(void** out, const ArrayDesc* d) {
  return NewArray(out, Texels({d->width, d->height, 0, d->format, d->channels, 0}));
}
FAKE_API cuArray3DCreate_v2(void** out, const Array3dDesc* d) {
  return NewArray(out, (d->flags & (kArraySparse | kArrayDeferred)) != 0 ? 0 : Texels(*d));
}
FAKE_API cuArrayDestroy(void* array) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  const auto found = state.arrays.find(array);
  if (found == state.arrays.end()) return kInvalidValue;
  Give(found->second.bytes);
  state.arrays.erase(found);
  return kOk;
}
FAKE_API cuMipmappedArrayCreate(void** out, const Array3dDesc* d, unsigned levels) {
  return NewArray(out, Texels(*d, levels));
}
FAKE_API cuMipmappedArrayDestroy(void* array) {
  return cuArrayDestroy(array);
}
// Somebody else has made the memory.
FAKE_API cuImportExternalMemory(void** out, const ExternalMemoryDesc*) {
  return NewArray(out, 0);
}
FAKE_API cuDestroyExternalMemory(void* memory) {
  return cuArrayDestroy(memory);
}

// Called at synchronisation points, where a pool with threshold zero gives memory back.
void SynchronisePools() {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  TrimPool(state.default_pool, 0);
}

}  // namespace yard::slice::fake
