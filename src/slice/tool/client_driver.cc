#include "slice/tool/client_driver.h"

#include <dlfcn.h>

#include <string_view>

namespace yard::slice::client {

using cuda::DevicePtr;

int Driver::Open(const char* name) {
  const std::string_view how(name);
  if (how == "default")
    library_ = RTLD_DEFAULT;
  else if (how == "next")
    library_ = RTLD_NEXT;
  else if (how == "deepbind")
    library_ = dlopen("libcuda.so.1", RTLD_NOW | RTLD_DEEPBIND);
  else
    library_ = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (Find("cuInit") == nullptr) return 7;
  Dl_info found{};
  if (dladdr(Find("cuInit"), &found) != 0) base_ = found.dli_fbase;
  return 0;
}

void* Driver::Find(const char* name) const {
  return dlsym(library_, name);
}

int Driver::Start() {
  if (const int code = Call("cuInit", 0U); code != 0) return code;
  void* context = nullptr;
  if (const int code = Call("cuDevicePrimaryCtxRetain", &context, 0); code != 0) return code;
  return Call("cuCtxSetCurrent", context);
}

int Driver::Stop() {
  return Call("cuDevicePrimaryCtxRelease_v2", 0);
}

// What was held is gone with the context.
int Driver::Reset() {
  std::erase_if(held_, [](const Held& held) { return !held.kind.starts_with("vmm"); });
  return Call("cuDevicePrimaryCtxReset_v2", 0);
}

// "vmm" keeps its handle, "vmmheld" releases it right after mapping: the memory stays.
int Driver::AllocateVmm(Held* held) {
  cuda::AllocationProp prop{};
  prop.type = 1;
  prop.location = {cuda::kLocationDevice, 0};
  int code = Call("cuMemCreate", &held->handle, std::size_t{held->bytes},
                  static_cast<const cuda::AllocationProp*>(&prop), 0ULL);
  if (code != 0) return code;
  Call("cuMemAddressReserve", &held->pointer, std::size_t{held->bytes}, std::size_t{0},
       DevicePtr{0}, 0ULL);
  code =
      Call("cuMemMap", held->pointer, std::size_t{held->bytes}, std::size_t{0}, held->handle, 0ULL);
  if (held->kind == "vmmheld") Call("cuMemRelease", held->handle);
  return code;
}

// Float texels, 2048 wide: 8 KiB a row.
int Driver::AllocateArray(Held* held) {
  cuda::Array3dDesc desc{};
  desc.width = 2048;
  desc.height = held->bytes / 8192;
  desc.format = 0x20;
  desc.channels = 1;
  void* array = nullptr;
  const auto* const wanted = static_cast<const cuda::Array3dDesc*>(&desc);
  const int code = held->kind == "mip" ? Call("cuMipmappedArrayCreate", &array, wanted, 2U)
                                       : Call("cuArray3DCreate_v2", &array, wanted);
  held->handle = reinterpret_cast<std::uint64_t>(array);
  return code;
}

// A graph with one allocation node, launched once.
int Driver::AllocateGraph(Held* held) {
  void *graph = nullptr, *node = nullptr, *exec = nullptr;
  cuda::MemAllocNode params{};
  params.pool.type = 1;
  params.pool.location = {cuda::kLocationDevice, 0};
  params.bytes = held->bytes;
  int code = Call("cuGraphCreate", &graph, 0U);
  if (code == 0)
    code = Call("cuGraphAddMemAllocNode", &node, graph, static_cast<void**>(nullptr),
                std::size_t{0}, &params);
  if (code == 0) code = Call("cuGraphInstantiateWithFlags", &exec, graph, 0ULL);
  if (code == 0) code = Call("cuGraphLaunch", exec, static_cast<void*>(nullptr));
  if (code == 0) code = Call("cuCtxSynchronize");
  held->handle = reinterpret_cast<std::uint64_t>(exec);
  held->pointer = params.dptr;
  return code;
}

// A module with one global variable, as text that the driver compiles.
int Driver::AllocateModule(Held* held) {
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .global .align 4 .b8 big[" +
      std::to_string(held->bytes) + "];\n";
  void* module = nullptr;
  const int code = Call("cuModuleLoadData", &module, static_cast<const void*>(text.c_str()));
  held->handle = reinterpret_cast<std::uint64_t>(module);
  return code;
}

// Every thread writes to its local memory at a place that nobody knows before, so that the compiler
// must leave all of it.
int Driver::LaunchNeedy(std::uint64_t local) const {
  const std::string bytes = std::to_string(local);
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry needy(.param .u64 where) {\n"
      ".local .align 8 .b8 depot[" +
      bytes +
      "];\n"
      ".reg .b32 %r<4>;\n.reg .b64 %l<8>;\n"
      "mov.u32 %r1, %tid.x;\ncvt.u64.u32 %l1, %r1;\n"
      "mov.u64 %l2, depot;\nadd.s64 %l3, %l2, %l1;\nst.local.u8 [%l3], %r1;\n"
      "ld.param.u64 %l4, [where];\nadd.s64 %l5, %l2, %l4;\nld.local.u8 %r2, [%l5];\n"
      "setp.eq.u32 %p1, %r2, 77;\n@%p1 trap;\nret;\n}\n";
  std::string declared = text;
  declared.insert(declared.find(".reg .b32"), ".reg .pred %p<2>;\n");
  void *module = nullptr, *function = nullptr;
  if (const int code =
          Call("cuModuleLoadData", &module, static_cast<const void*>(declared.c_str()));
      code != 0)
    return code;
  if (const int code = Call("cuModuleGetFunction", &function, module, "needy"); code != 0)
    return code;
  std::uint64_t where = 0;
  void* parameters[] = {&where};
  void* const none = nullptr;
  const int code = Call("cuLaunchKernel", function, 1U, 1U, 1U, 32U, 1U, 1U, 0U, none,
                        static_cast<void**>(parameters), none);
  return code != 0 ? code : Call("cuCtxSynchronize");
}

int Driver::Allocate(const std::string& kind, std::uint64_t bytes) {
  if (kind == "kernel") return LaunchNeedy(bytes);
  if (kind == "heap") return Call("cuCtxSetLimit", 2, std::size_t{bytes});
  Held held{kind, 0, 0, bytes};
  std::size_t pitch = 0;
  int code = -2;
  void* const stream = nullptr;
  if (kind == "linear") code = Call("cuMemAlloc_v2", &held.pointer, std::size_t{bytes});
  if (kind == "pitch")
    code = Call("cuMemAllocPitch_v2", &held.pointer, &pitch, std::size_t{8192},
                std::size_t{bytes / 8192}, 4U);
  if (kind == "managed") code = Call("cuMemAllocManaged", &held.pointer, std::size_t{bytes}, 1U);
  if (kind == "async") code = Call("cuMemAllocAsync", &held.pointer, std::size_t{bytes}, stream);
  if (kind == "pool") {
    cuda::PoolProps props{};
    props.type = 1;
    props.location = {cuda::kLocationDevice, 0};
    if (pool_ == nullptr)
      Call("cuMemPoolCreate", &pool_, static_cast<const cuda::PoolProps*>(&props));
    code = Call("cuMemAllocFromPoolAsync", &held.pointer, std::size_t{bytes}, pool_, stream);
  }
  if (kind.starts_with("vmm")) code = AllocateVmm(&held);
  if (kind == "array" || kind == "mip") code = AllocateArray(&held);
  if (kind == "graph") code = AllocateGraph(&held);
  if (kind == "module") code = AllocateModule(&held);
  if (kind == "context") {
    void* context = nullptr;
    code = Call("cuCtxCreate_v2", &context, 0U, 0);
    held.handle = reinterpret_cast<std::uint64_t>(context);
  }
  if (code == 0) held_.push_back(held);
  return code;
}

int Driver::FreeOne(const Held& held) {
  if (held.kind == "async" || held.kind == "pool")
    return Call("cuMemFreeAsync", held.pointer, static_cast<void*>(nullptr));
  if (held.kind == "context") return Call("cuCtxDestroy_v2", reinterpret_cast<void*>(held.handle));
  if (held.kind == "module") return Call("cuModuleUnload", reinterpret_cast<void*>(held.handle));
  if (held.kind == "array") return Call("cuArrayDestroy", reinterpret_cast<void*>(held.handle));
  if (held.kind == "mip")
    return Call("cuMipmappedArrayDestroy", reinterpret_cast<void*>(held.handle));
  if (held.kind == "graph") {
    Call("cuMemFree_v2", held.pointer);
    Call("cuGraphExecDestroy", reinterpret_cast<void*>(held.handle));
    return Call("cuDeviceGraphMemTrim", 0);
  }
  if (!held.kind.starts_with("vmm")) return Call("cuMemFree_v2", held.pointer);
  const int code = Call("cuMemUnmap", held.pointer, std::size_t{held.bytes});
  if (held.kind == "vmm") Call("cuMemRelease", held.handle);
  Call("cuMemAddressFree", held.pointer, std::size_t{held.bytes});
  return code;
}

int Driver::Free(std::size_t index) {
  if (index >= held_.size()) return -3;
  const int code = FreeOne(held_[index]);
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(index));
  return code;
}

int Driver::FreeAll() {
  int worst = 0;
  while (!held_.empty())
    if (const int code = Free(held_.size() - 1); code != 0) worst = code;
  if (const int code = Call("cuCtxSynchronize"); code != 0) worst = code;
  if (pool_ != nullptr) Call("cuMemPoolTrimTo", pool_, std::size_t{0});
  return worst;
}

}  // namespace yard::slice::client
