// What the driver takes for programs: code and global variables of modules, local memory of
// kernels, the device heap.
//
// Where the call tells the size, it is reserved first. Where it does not, the GPU's free memory is
// compared before and after, and if it fell the keeper looks at NVML before the program goes on;
// what does not fit is given back, and the program hears "out of memory".
#include "slice/cuda/device.h"
#include "slice/cuda/image.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"
#include "slice/cuda/side.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

// Holds what an image surely takes; the rest is found by NVML.
template <class Make, class Undo>
Result Load(Handle* out, std::uint64_t bytes, Make make, Undo undo) {
  Process& process = Self();
  const Current current = CurrentGpu(process);
  if (!current.has_context) return make();
  if (bytes > 0 && !ReserveOrTrim(process, current.gpu, bytes)) return kOutOfMemory;
  const SideWatch watch(process, current.gpu);
  Result result = make();
  if (result == kOk && !watch.Fits()) {
    undo();
    watch.Fits();  // the books without it
    result = kOutOfMemory;
  }
  if (result != kOk) {
    Release(process, current.gpu, bytes);
  } else if (bytes > 0) {
    process.objects.Put({.key = reinterpret_cast<std::uint64_t>(*out),
                         .bytes = bytes,
                         .gpu = static_cast<std::int16_t>(current.gpu),
                         .kind = Kind::kModule,
                         .context = CurrentContext()});
  }
  return result;
}

Result LoadModule(Handle* out, std::uint64_t bytes, auto make) {
  return Load(out, bytes, make, [out] { Call(k_cuModuleUnload, *out); });
}

Result LoadLibrary(Handle* out, std::uint64_t bytes, auto make) {
  return Load(out, bytes, make, [out] { Call(k_cuLibraryUnload, *out); });
}

// For calls that load lazily what a module holds.
template <class Make>
Result Touch(Make make) {
  Process& process = Self();
  const Current current = CurrentGpu(process);
  if (!current.has_context || current.gpu < 0) return make();
  const SideWatch watch(process, current.gpu);
  const Result result = make();
  return result == kOk && !watch.Fits() ? kOutOfMemory : result;
}

// The driver takes local memory for as many threads as the GPU can run at all, once for the
// context and as much as the neediest kernel wants, when that is first launched: nobody asks for a
// kernel that it does not launch.
bool HasRoomForLocal(Entry ask_local, Handle kernel) {
  Process& process = Self();
  const Current current = CurrentGpu(process);
  if (!current.has_context || current.gpu < 0 || !Has(ask_local)) return true;
  int local = 0;
  const Result asked = ask_local == k_cuKernelGetAttribute
                           ? Call(ask_local, &local, kFunctionLocalBytes, kernel, current.device)
                           : Call(ask_local, &local, kFunctionLocalBytes, kernel);
  if (asked != kOk || local <= kLocalInContext) return true;
  const std::uint64_t bytes = static_cast<std::uint64_t>(local) * ResidentThreads(current.device);
  return RaiseSide(process, current.gpu, Side::kLocal, bytes);
}

Result Checked(Result result, Entry ask_local, const Handle* kernel) {
  if (result != kOk || kernel == nullptr) return result;
  return HasRoomForLocal(ask_local, *kernel) ? result : kOutOfMemory;
}

}  // namespace

Result ModuleLoad(Handle* out, const char* path) {
  return LoadModule(out, 0, [&] { return Call(k_cuModuleLoad, out, path); });
}

Result ModuleLoadData(Handle* out, const void* image) {
  return LoadModule(out, ImageBytes(image), [&] { return Call(k_cuModuleLoadData, out, image); });
}

Result ModuleLoadDataEx(Handle* out, const void* image, unsigned count, void* options,
                        void** values) {
  return LoadModule(out, ImageBytes(image),
                    [&] { return Call(k_cuModuleLoadDataEx, out, image, count, options, values); });
}

Result ModuleLoadFatBinary(Handle* out, const void* image) {
  return LoadModule(out, 0, [&] { return Call(k_cuModuleLoadFatBinary, out, image); });
}

Result ModuleUnload(Handle module) {
  return DropCharged(module, [&] { return Call(k_cuModuleUnload, module); });
}

Result LibraryLoadData(Handle* out, const void* image, void* jit, void** jit_values, unsigned jits,
                       void* options, void** values, unsigned count) {
  return LoadLibrary(out, 0, [&] {
    return Call(k_cuLibraryLoadData, out, image, jit, jit_values, jits, options, values, count);
  });
}

Result LibraryLoadFromFile(Handle* out, const char* path, void* jit, void** jit_values,
                           unsigned jits, void* options, void** values, unsigned count) {
  return LoadLibrary(out, 0, [&] {
    return Call(k_cuLibraryLoadFromFile, out, path, jit, jit_values, jits, options, values, count);
  });
}

Result LibraryUnload(Handle library) {
  return DropCharged(library, [&] { return Call(k_cuLibraryUnload, library); });
}

Result LibraryGetModule(Handle* out, Handle library) {
  return Touch([&] { return Call(k_cuLibraryGetModule, out, library); });
}

Result LibraryGetGlobal(DevicePtr* out, std::size_t* bytes, Handle library, const char* name) {
  return Touch([&] { return Call(k_cuLibraryGetGlobal, out, bytes, library, name); });
}

Result LibraryGetKernel(Handle* out, Handle library, const char* name) {
  return Checked(Call(k_cuLibraryGetKernel, out, library, name), k_cuKernelGetAttribute, out);
}

Result KernelGetFunction(Handle* out, Handle kernel) {
  return Checked(Touch([&] { return Call(k_cuKernelGetFunction, out, kernel); }),
                 k_cuFuncGetAttribute, out);
}

Result ModuleGetFunction(Handle* out, Handle module, const char* name) {
  return Checked(Touch([&] { return Call(k_cuModuleGetFunction, out, module, name); }),
                 k_cuFuncGetAttribute, out);
}

Result ModuleGetGlobal(DevicePtr* out, std::size_t* bytes, Handle module, const char* name) {
  return Touch([&] { return Call(k_cuModuleGetGlobal_v2, out, bytes, module, name); });
}

Result FuncLoad(Handle function) {
  return Touch([&] { return Call(k_cuFuncLoad, function); });
}

// Heap and stack are reserved as they are asked for, though the driver takes them later.
Result CtxSetLimit(int limit, std::size_t value) {
  Process& process = Self();
  const Current current = CurrentGpu(process);
  if (!current.has_context || current.gpu < 0 || limit < 0 || limit > kLimitHeap)
    return Call(k_cuCtxSetLimit, limit, value);
  std::size_t before = 0;
  if (Call(k_cuCtxGetLimit, &before, limit) != kOk) before = 0;
  const std::uint64_t each = limit == kLimitStack ? ResidentThreads(current.device) : 1;
  const Side side = limit == kLimitStack  ? Side::kStack
                    : limit == kLimitHeap ? Side::kHeap
                                          : Side::kPrintf;
  const std::int64_t change =
      (static_cast<std::int64_t>(value) - static_cast<std::int64_t>(before)) *
      static_cast<std::int64_t>(each);
  if (!ChangeSide(process, current.gpu, side, change)) return kOutOfMemory;
  const SideWatch watch(process, current.gpu);
  const Result result = Call(k_cuCtxSetLimit, limit, value);
  if (result != kOk) ChangeSide(process, current.gpu, side, -change);
  if (result == kOk) watch.Fits();
  return result;
}

}  // namespace yard::slice::cuda
