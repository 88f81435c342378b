#include "slice/cuda/pool.h"

#include <sched.h>

#include "slice/cuda/blocks.h"
#include "slice/cuda/device.h"
#include "slice/cuda/fault.h"
#include "slice/cuda/graph.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

constexpr std::uint64_t kChunk = 32ULL << 20;  // what a pool usually grows by

std::uint64_t Key(Handle handle) {
  return reinterpret_cast<std::uint64_t>(handle);
}

int FindPool(Process& process, std::uint64_t key) {
  Locked hold(process.pool_lock);
  for (int i = 0; i < process.pool_count; ++i)
    if (process.pools[i].handle == key && !process.pools[i].leaving) return i;
  return -1;
}

// Reuses the place of a destroyed pool; -1 when the table is full (such a pool is not charged but
// NVML sees it). A pool that another thread has added meanwhile keeps its place.
int AddPool(Process& process, const Pool& pool) {
  Locked hold(process.pool_lock);
  const int count = process.pool_count;
  int at = count;
  for (int i = 0; i < count; ++i) {
    const Pool& other = process.pools[i];
    if (other.handle == pool.handle && !other.leaving) return i;
    if (other.handle == 0 && other.live == 0 && at == count) at = i;
  }
  if (at == kMaxPools) return -1;
  process.pools[at] = pool;
  if (at == count) process.pool_count = count + 1;
  return at;
}

// A pool that others cannot destroy while we name it to the driver.
class PoolUse {
 public:
  PoolUse(Process& process, int number) : process_(process), pool_(process.pools[number]) {
    Locked hold(process.pool_lock);
    gpu = pool_.gpu;
    if (pool_.handle == 0 || pool_.leaving || gpu < 0) return;
    handle = reinterpret_cast<Handle>(pool_.handle);
    changes = pool_.changes;
    pool_.users++;
  }
  ~PoolUse() {
    if (handle == nullptr) return;
    Locked hold(process_.pool_lock);
    pool_.users--;
  }
  PoolUse(const PoolUse&) = delete;
  PoolUse& operator=(const PoolUse&) = delete;

  Handle handle = nullptr;  // null: there is no such pool, or it is not ours to count
  int gpu = -1;
  unsigned changes = 0;  // as they were

 private:
  Process& process_;
  Pool& pool_;
};

// Nobody begins to use it from now on; waits for those who do.
void BeginLeaving(Process& process, int number) {
  for (;; sched_yield()) {
    Locked hold(process.pool_lock);
    process.pools[number].leaving = true;
    if (process.pools[number].users == 0) return;
  }
}

bool HasOneGpu(const Process& process) {
  return Attached(process) && process.region->gpu_count == 1;
}

// A pool nobody created here is some device's own.
int AdoptPool(Process& process, Handle handle) {
  for (Device device = 0; device < kMaxDevices; ++device) {
    Handle own = nullptr;
    if (Call(k_cuDeviceGetDefaultMemPool, &own, device) != kOk) break;
    if (own != handle) continue;
    return AddPool(process,
                   {Key(handle), 0, 0, 0, GpuOfDevice(process, device), HasOneGpu(process)});
  }
  return AddPool(process, {Key(handle), 0, 0, 0, -1, false});
}

int PoolNumber(Process& process, Handle handle) {
  const int known = FindPool(process, Key(handle));
  return known >= 0 ? known : AdoptPool(process, handle);
}

// Makes the charge equal to what the driver says the pool holds. While other allocations are on
// their way, or since the driver was asked, their reservations stay. True if it holds more than was
// reserved.
bool SettlePool(Process& process, int number) {
  Pool& pool = process.pools[number];
  const PoolUse use(process, number);
  std::uint64_t reserved = 0;
  if (use.handle == nullptr || Call(k_cuMemPoolGetAttribute, use.handle, kPoolReservedCurrent,
                                    static_cast<void*>(&reserved)) != kOk)
    return false;
  std::uint64_t before = 0, after = 0;
  {
    Locked hold(process.pool_lock);
    before = after = pool.charged;
    const bool is_new = pool.in_flight == 0 && pool.changes == use.changes;
    if (reserved > before || is_new) after = reserved;
    pool.charged = after;
  }
  Settle(process, use.gpu, before, after);
  return after > before;
}

enum class Growth { kNone, kReserved, kRefused };

// The growth this allocation probably causes, reserved: a chunk, or, in a pool that cannot spill,
// the least.
Growth ReserveGrowth(Process& process, int number, std::uint64_t bytes) {
  Pool& pool = process.pools[number];
  std::uint64_t need = 0;
  {
    Locked hold(process.pool_lock);
    const std::uint64_t wanted = pool.live + RoundUp(bytes, 512);
    need = wanted > pool.charged ? wanted - pool.charged : 0;
    pool.in_flight++;
    pool.changes++;
    if (need == 0) return Growth::kNone;
  }
  std::uint64_t growth = RoundUp(need, kChunk);
  bool ok = ReserveOrTrim(process, pool.gpu, growth);
  if (!ok && !pool.spills) {
    growth = RoundUp(need, kGranule);
    ok = Reserve(process, pool.gpu, growth);
  }
  Locked hold(process.pool_lock);
  if (ok) pool.charged += growth;
  if (!ok) pool.in_flight--;
  return ok ? Growth::kReserved : Growth::kRefused;
}

// The driver has answered, and has given so many bytes. True if it is time to ask what the pool
// holds: it may have grown though there seemed to be room, or shrunk at a synchronisation. Where
// the slice is not nearly full that can wait for some allocations.
bool EndFlight(Process& process, int number, std::uint64_t bytes) {
  constexpr unsigned kSeldom = 32;  // an allocation is two changes
  Pool& pool = process.pools[number];
  Locked hold(process.pool_lock);
  pool.in_flight--;
  pool.changes++;
  pool.live += bytes;
  return pool.changes % kSeldom < 2 || NearLimit(process, pool.gpu);
}

void TakeLive(Process& process, int number, std::uint64_t bytes) {
  Locked hold(process.pool_lock);
  process.pools[number].live -= bytes;
}

// Calls that a capture elsewhere in the process would forbid may be made while this lives.
class RelaxedCapture {
 public:
  RelaxedCapture() { Call(k_cuThreadExchangeStreamCaptureMode, &mode_); }
  ~RelaxedCapture() { Call(k_cuThreadExchangeStreamCaptureMode, &mode_); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  int mode_ = 2;
};

// The pool took more than the slice had: give the allocation back and say so.
Result Withdraw(Process& process, int number, DevicePtr pointer, Handle stream) {
  const Handle pool = reinterpret_cast<Handle>(process.pools[number].handle);
  const RelaxedCapture relaxed;
  Call(k_cuMemFreeAsync, pointer, stream);
  Call(k_cuStreamSynchronize, stream);
  Call(k_cuMemPoolTrimTo, pool, std::size_t{0});
  SettlePool(process, number);
  return kOutOfMemory;
}

// `ask` is the form of cuStreamIsCapturing that means the same stream by 0 as the caller does.
bool Capturing(Entry ask, Handle stream) {
  int status = 0;
  return Call(ask, stream, &status) == kOk && status != 0;
}

Result Spill(Process& process, int number, DevicePtr* out, std::size_t bytes) {
  const Pool& pool = process.pools[number];
  if (!pool.spills || CurrentGpu(process).gpu != pool.gpu) return kOutOfMemory;
  SettlePool(process, number);
  const std::uint64_t taken = LinearBytes(bytes);
  if (!ReserveOrTrim(process, pool.gpu, taken)) return kOutOfMemory;
  const RelaxedCapture relaxed;
  const Result result = Call(k_cuMemAlloc_v2, out, bytes);
  YARD_FAULT_POINT();
  if (result != kOk)
    Release(process, pool.gpu, taken);
  else
    KeepLinear(process,
               {.key = *out,
                .link = static_cast<std::uint32_t>(number),
                .gpu = static_cast<std::int16_t>(pool.gpu),
                .kind = Kind::kSpill,
                .context = CurrentContext()},
               bytes);
  return result;
}

// In stream order, so the host waits for the stream; spills happen only in a full slice.
Result FreeSpill(Process& process, const Charge& entry, Handle stream) {
  const RelaxedCapture relaxed;
  Result result = Call(k_cuStreamSynchronize, stream);
  if (result == kOk) result = Call(k_cuMemFree_v2, DevicePtr{entry.key});
  if (result == kOk)
    ReleaseLinear(process, entry);
  else
    process.pointers.Put(entry);
  return result;
}

struct Wanted {
  Handle pool;
  Handle stream;
  Entry is_capturing;
};

template <class Make>
Result AllocateIn(const Wanted& wanted, DevicePtr* out, std::size_t bytes, Make make) {
  Process& process = Self();
  const auto [handle, stream, is_capturing] = wanted;
  if (Capturing(is_capturing, stream)) {
    NoteGraphMemory(process, CurrentGpu(process).gpu, bytes);
    return make();
  }
  const int number = handle == nullptr ? -1 : PoolNumber(process, handle);
  if (number < 0 || process.pools[number].gpu < 0) return make();
  const Growth growth = ReserveGrowth(process, number, bytes);
  if (growth == Growth::kRefused) return Spill(process, number, out, bytes);
  const Result result = make();
  YARD_FAULT_POINT();
  const std::uint64_t taken = result == kOk ? RoundUp(bytes, 512) : 0;
  const bool due = EndFlight(process, number, taken);
  const bool took_more =
      (due || growth == Growth::kReserved || result != kOk) && SettlePool(process, number);
  if (result != kOk) return result;
  const int gpu = process.pools[number].gpu;
  if (took_more && OverLimit(process, gpu)) {
    TakeLive(process, number, taken);
    return Withdraw(process, number, *out, stream);
  }
  process.pointers.Put({*out, taken, static_cast<std::uint32_t>(number),
                        static_cast<std::int16_t>(gpu), Kind::kPool});
  return result;
}

}  // namespace

bool ReserveOrTrim(Process& process, int gpu, std::uint64_t bytes) {
  if (Reserve(process, gpu, bytes)) return true;
  if (!Attached(process) || process.pool_count == 0) return false;
  for (int i = 0; i < process.pool_count; ++i)
    if (const PoolUse use(process, i); use.handle != nullptr && use.gpu == gpu)
      Call(k_cuMemPoolTrimTo, use.handle, std::size_t{0});
  RefreshPools(process);
  return Reserve(process, gpu, bytes);
}

void RefreshPools(Process& process) {
  for (int i = 0; i < process.pool_count; ++i) SettlePool(process, i);
}

void PoolFreed(Process& process, const Charge& entry) {
  PoolFreedLater(process, entry);
  SettlePool(process, static_cast<int>(entry.link));
}

void PoolFreedLater(Process& process, const Charge& entry) {
  Pool& pool = process.pools[entry.link];
  std::uint64_t rest = 0;
  {
    Locked hold(process.pool_lock);
    pool.live -= entry.bytes < pool.live ? entry.bytes : pool.live;
    if (pool.handle == 0 && pool.live == 0) {
      rest = pool.charged;
      pool.charged = 0;
    }
  }
  Release(process, entry.gpu, rest);
}

template <Entry kReal>
Result MemAllocAsync(DevicePtr* out, std::size_t bytes, Handle stream) {
  Device device = 0;
  Handle pool = nullptr;
  if (CurrentDevice(&device)) Call(k_cuDeviceGetMemPool, &pool, device);
  constexpr Entry kAsk =
      kReal == k_cuMemAllocAsync ? k_cuStreamIsCapturing : k_cuStreamIsCapturing_ptsz;
  return AllocateIn({pool, stream, kAsk}, out, bytes,
                    [&] { return Call(kReal, out, bytes, stream); });
}

template <Entry kReal>
Result MemAllocFromPool(DevicePtr* out, std::size_t bytes, Handle pool, Handle stream) {
  constexpr Entry kAsk =
      kReal == k_cuMemAllocFromPoolAsync ? k_cuStreamIsCapturing : k_cuStreamIsCapturing_ptsz;
  return AllocateIn({pool, stream, kAsk}, out, bytes,
                    [&] { return Call(kReal, out, bytes, pool, stream); });
}

template <Entry kReal>
Result MemFreeAsync(DevicePtr pointer, Handle stream) {
  Process& process = Self();
  Charge entry;
  const bool known = process.pointers.Take(pointer, &entry);
  constexpr Entry kAsk =
      kReal == k_cuMemFreeAsync ? k_cuStreamIsCapturing : k_cuStreamIsCapturing_ptsz;
  if (known && entry.kind == Kind::kSpill && !Capturing(kAsk, stream))
    return FreeSpill(process, entry, stream);
  const Result result = Call(kReal, pointer, stream);
  if (!known) return result;
  if (result != kOk)
    process.pointers.Put(entry);
  else if (entry.kind == Kind::kPool)
    PoolFreedLater(process, entry);
  else
    ReleaseLinear(process, entry);
  return result;
}

Result MemPoolCreate(Handle* pool, const PoolProps* props) {
  const Result result = Call(k_cuMemPoolCreate, pool, props);
  if (result != kOk) return result;
  Process& process = Self();
  const bool device = props->location.type == kLocationDevice;
  const bool plain = props->type == kPoolPinned && props->handle_types == 0;
  AddPool(process, {Key(*pool), 0, 0, 0, device ? GpuOfDevice(process, props->location.id) : -1,
                    plain && HasOneGpu(process)});
  return result;
}

Result MemPoolDestroy(Handle pool) {
  Process& process = Self();
  const int number = FindPool(process, Key(pool));
  if (number < 0) return Call(k_cuMemPoolDestroy, pool);
  BeginLeaving(process, number);
  const Result result = Call(k_cuMemPoolDestroy, pool);
  Pool& gone = process.pools[number];
  const int gpu = gone.gpu;
  std::uint64_t rest = 0;
  {
    Locked hold(process.pool_lock);
    gone.leaving = false;
    if (result == kOk) gone.handle = 0;
    if (result == kOk && gone.live == 0) {
      rest = gone.charged;
      gone.charged = 0;
    }
  }
  Release(process, gpu, rest);
  return result;
}

Result MemPoolTrimTo(Handle pool, std::size_t keep) {
  const Result result = Call(k_cuMemPoolTrimTo, pool, keep);
  Process& process = Self();
  if (const int number = FindPool(process, Key(pool)); number >= 0) SettlePool(process, number);
  return result;
}

Result MemPoolSetAttribute(Handle pool, int attribute, void* value) {
  const Result result = Call(k_cuMemPoolSetAttribute, pool, attribute, value);
  Process& process = Self();
  if (const int number = FindPool(process, Key(pool)); number >= 0) SettlePool(process, number);
  return result;
}

template Result MemAllocAsync<k_cuMemAllocAsync>(DevicePtr*, std::size_t, Handle);
template Result MemAllocAsync<k_cuMemAllocAsync_ptsz>(DevicePtr*, std::size_t, Handle);
template Result MemAllocFromPool<k_cuMemAllocFromPoolAsync>(DevicePtr*, std::size_t, Handle,
                                                            Handle);
template Result MemAllocFromPool<k_cuMemAllocFromPoolAsync_ptsz>(DevicePtr*, std::size_t, Handle,
                                                                 Handle);
template Result MemFreeAsync<k_cuMemFreeAsync>(DevicePtr, Handle);
template Result MemFreeAsync<k_cuMemFreeAsync_ptsz>(DevicePtr, Handle);

}  // namespace yard::slice::cuda
