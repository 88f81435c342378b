#include "slice/cuda/pool.h"

#include "slice/cuda/blocks.h"
#include "slice/cuda/capture.h"
#include "slice/cuda/device.h"
#include "slice/cuda/fault.h"
#include "slice/cuda/graph.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool_book.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

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
  if (Captures(process, is_capturing, stream)) {
    NoteGraphMemory(process, CurrentGpu(process).gpu, bytes);
    return make();
  }
  const Flight flight = BeginFlight(process, handle, bytes);
  const int number = flight.number;
  if (number < 0) return make();
  if (flight.growth == Growth::kRefused) return Spill(process, number, out, bytes);
  const Result result = make();
  YARD_FAULT_POINT();
  const std::uint64_t taken = result == kOk ? RoundUp(bytes, 512) : 0;
  const bool due = EndFlight(process, flight, taken);
  const bool took_more = (due || result != kOk) && SettlePool(process, number);
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
  for (int i = 0; i < process.pool_count; ++i) TrimPool(process, i, gpu);
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
  TakeLive(process, static_cast<int>(entry.link), entry.bytes);
}

template <Entry kReal>
Result MemAllocAsync(DevicePtr* out, std::size_t bytes, Handle stream) {
  constexpr Entry kAsk =
      kReal == k_cuMemAllocAsync ? k_cuStreamIsCapturing : k_cuStreamIsCapturing_ptsz;
  return AllocateIn({CurrentPool(Self()), stream, kAsk}, out, bytes,
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
  if (known && entry.kind == Kind::kSpill && !Captures(process, kAsk, stream))
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
  AddPool(process, {.handle = reinterpret_cast<std::uint64_t>(*pool),
                    .gpu = device ? GpuOfDevice(process, props->location.id) : -1,
                    .spills = plain && HasOneGpu(process)});
  return result;
}

Result MemPoolDestroy(Handle pool) {
  Process& process = Self();
  const int number = FindPool(process, pool);
  if (number >= 0) BeginLeaving(process, number);
  const Result result = Call(k_cuMemPoolDestroy, pool);
  ForgetCurrentPool(process);
  if (number >= 0) EndLeaving(process, number, result);
  return result;
}

Result DeviceSetMemPool(Device device, Handle pool) {
  const Result result = Call(k_cuDeviceSetMemPool, device, pool);
  ForgetCurrentPool(Self());
  return result;
}

Result MemSetMemPool(void* location, int type, Handle pool) {
  const Result result = Call(k_cuMemSetMemPool, location, type, pool);
  ForgetCurrentPool(Self());
  return result;
}

Result MemPoolTrimTo(Handle pool, std::size_t keep) {
  const Result result = Call(k_cuMemPoolTrimTo, pool, keep);
  Process& process = Self();
  if (const int number = FindPool(process, pool); number >= 0) SettlePool(process, number);
  return result;
}

Result MemPoolSetAttribute(Handle pool, int attribute, void* value) {
  const Result result = Call(k_cuMemPoolSetAttribute, pool, attribute, value);
  Process& process = Self();
  if (const int number = FindPool(process, pool); number >= 0) SettlePool(process, number);
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
