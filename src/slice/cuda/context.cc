// Contexts cost memory too: half a gigabyte each on a large GPU. The keeper's figure for this GPU,
// which it learns from the first ones, is charged before one is made. Then the keeper looks at
// NVML, so that what the context took beyond the figure is in Gpu::overhead before the program goes
// on.
#include "slice/cuda/blocks.h"
#include "slice/cuda/device.h"
#include "slice/cuda/gate.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"
#include "slice/cuda/pool_book.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

std::uint64_t ContextBytes(const Process& process, int gpu) {
  return gpu < 0 ? 0 : process.region->gpu[gpu].context_bytes.load();
}

// A GPU that is there but not of the slice gets no context, and so no memory of any kind. About
// one that is not there the driver shall complain itself.
bool Exists(Device device) {
  int count = 0;
  return Call(k_cuDeviceGetCount, &count) == kOk && device >= 0 && device < count;
}

// Charged and released with the same figure, even if the keeper learns a better one in between.
struct ContextHold {
  Process& process = Self();
  int gpu = -1;
  std::uint64_t bytes = 0;
  bool ok = true;

  explicit ContextHold(Device device) {
    if (!Attached(process)) return;
    gpu = GpuOfDevice(process, device);
    bytes = ContextBytes(process, gpu);
    ok = gpu < 0 ? !Exists(device) : Reserve(process, gpu, bytes);
    if (ok && gpu >= 0) process.slot->contexts[gpu].fetch_add(1);
  }

  // The driver has made it. False: it does not fit, and has to go again.
  bool Fits() const {
    if (gpu < 0) return true;
    const bool first = process.renders.load() == 0 && process.slot->contexts[gpu].load() == 1 &&
                       process.slot->charged[gpu].load() == bytes;
    return CountSideMemory(process, gpu, first ? Holds::kFirstContext : Holds::kAnything);
  }

  void Keep(std::uint64_t key) {
    if (gpu >= 0 &&
        !process.objects.Put({key, bytes, 0, static_cast<std::int16_t>(gpu), Kind::kContext}))
      Undo();
  }

  void Undo() {
    if (gpu < 0) return;
    process.slot->contexts[gpu].fetch_sub(1);
    Release(process, gpu, bytes);
  }
};

void Forget(std::uint64_t key) {
  Process& process = Self();
  Charge entry;
  if (!process.objects.Take(key, &entry)) return;
  process.slot->contexts[entry.gpu].fetch_sub(1);
  Release(process, entry.gpu, entry.bytes);
}

// What was allocated in a context goes with it; what virtual-memory handles and pools hold does
// not. It is set aside before the driver is asked, since right after it another thread may have the
// same handle again, and is off the books or back when the driver has answered.
class Departure {
 public:
  Departure(Process& process, std::uint64_t context)
      : process_(process), context_(context), mark_(process.departures.fetch_add(1) + 1) {
    if (context_ == 0) return;
    ForgetContext(process_, reinterpret_cast<Handle>(context_));
    process_.pointers.Retag(context_, mark_);
    process_.objects.Retag(context_, mark_);
  }
  ~Departure() {
    if (context_ == 0) return;
    ForgetCurrentPool(process_);
    process_.pointers.Retag(mark_, context_);
    process_.objects.Retag(mark_, context_);
  }
  Departure(const Departure&) = delete;
  Departure& operator=(const Departure&) = delete;

  void IsOver() {
    Charge gone;
    for (std::size_t at = 0; process_.pointers.TakeOf(mark_, &at, &gone);)
      ReleaseLinear(process_, gone);
    for (std::size_t at = 0; process_.objects.TakeOf(mark_, &at, &gone);)
      Release(process_, gone.gpu, gone.bytes);
  }

 private:
  Process& process_;
  const std::uint64_t context_;
  const std::uint64_t mark_;  // a small number, which no context has
};

// Primary contexts are kept under small numbers, which no pointer uses.
std::uint64_t PrimaryKey(Device device) {
  return static_cast<std::uint64_t>(device) + 1;
}

bool Countable(Device device) {
  return device >= 0 && device < kMaxDevices;
}

template <class F>
Result Create(Handle* context, Device device, F make) {
  ContextHold charge(device);
  if (!charge.ok) return kOutOfMemory;
  Result result = make();
  if (result == kOk && !charge.Fits()) {
    Call(k_cuCtxDestroy_v2, *context);
    result = kOutOfMemory;
  }
  if (result == kOk)
    charge.Keep(reinterpret_cast<std::uint64_t>(*context));
  else
    charge.Undo();
  return result;
}

}  // namespace

Result PrimaryCtxRetain(Handle* context, Device device) {
  Process& process = Self();
  if (!Countable(device)) return Call(k_cuDevicePrimaryCtxRetain, context, device);
  if (process.primary[device].fetch_add(1) > 0) {
    const Result again = Call(k_cuDevicePrimaryCtxRetain, context, device);
    if (again != kOk) process.primary[device].fetch_sub(1);
    return again;
  }
  ContextHold charge(device);
  Result result = charge.ok ? Call(k_cuDevicePrimaryCtxRetain, context, device) : kOutOfMemory;
  if (result == kOk && !charge.Fits()) {
    Call(k_cuDevicePrimaryCtxRelease_v2, device);
    result = kOutOfMemory;
  }
  if (result == kOk) {
    charge.Keep(PrimaryKey(device));
    process.primary_context[device].store(reinterpret_cast<std::uint64_t>(*context));
    return result;
  }
  if (charge.ok) charge.Undo();
  process.primary[device].fetch_sub(1);
  return result;
}

template <Entry kReal>
Result PrimaryCtxRelease(Device device) {
  Process& process = Self();
  if (!Countable(device)) return Call(kReal, device);
  const bool last = process.primary[device].load() == 1;
  Departure departure(process, last ? process.primary_context[device].load() : 0);
  const Result result = Call(kReal, device);
  if (result != kOk || process.primary[device].fetch_sub(1) != 1) return result;
  Forget(PrimaryKey(device));
  departure.IsOver();
  return result;
}

// The references stay: the driver makes the context again when it is next used, so it is paid for.
template <Entry kReal>
Result PrimaryCtxReset(Device device) {
  Process& process = Self();
  if (!Countable(device)) return Call(kReal, device);
  Departure departure(process, process.primary_context[device].load());
  const Result result = Call(kReal, device);
  if (result != kOk) return result;
  departure.IsOver();
  RefreshPools(process);
  return result;
}

template <Entry kReal>
Result CtxCreate(Handle* context, unsigned flags, Device device) {
  return Create(context, device, [&] { return Call(kReal, context, flags, device); });
}

Result CtxCreateV3(Handle* context, void* affinity, int count, unsigned flags, Device device) {
  return Create(context, device,
                [&] { return Call(k_cuCtxCreate_v3, context, affinity, count, flags, device); });
}

Result CtxCreateV4(Handle* context, void* params, unsigned flags, Device device) {
  return Create(context, device,
                [&] { return Call(k_cuCtxCreate_v4, context, params, flags, device); });
}

template <Entry kReal>
Result CtxDestroy(Handle context) {
  Departure departure(Self(), reinterpret_cast<std::uint64_t>(context));
  const Result result = Call(kReal, context);
  if (result != kOk) return result;
  Forget(reinterpret_cast<std::uint64_t>(context));
  departure.IsOver();
  return result;
}

template Result PrimaryCtxRelease<k_cuDevicePrimaryCtxRelease>(Device);
template Result PrimaryCtxRelease<k_cuDevicePrimaryCtxRelease_v2>(Device);
template Result PrimaryCtxReset<k_cuDevicePrimaryCtxReset>(Device);
template Result PrimaryCtxReset<k_cuDevicePrimaryCtxReset_v2>(Device);
template Result CtxCreate<k_cuCtxCreate>(Handle*, unsigned, Device);
template Result CtxCreate<k_cuCtxCreate_v2>(Handle*, unsigned, Device);
template Result CtxDestroy<k_cuCtxDestroy>(Handle);
template Result CtxDestroy<k_cuCtxDestroy_v2>(Handle);

}  // namespace yard::slice::cuda
