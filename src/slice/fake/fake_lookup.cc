// cuGetProcAddress of the fake driver, with the real one's rules: the newest version of a name not
// newer than the one asked for, and per-thread variants by flag. FOR TESTS ONLY.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "slice/fake/fake_state.h"

namespace yard::slice::fake {
namespace {

struct Version {
  const char* name;
  int since;
  const char* symbol;
};

// Newest first within a name.
constexpr Version kVersions[] = {
    {"cuMemAlloc", 3020, "cuMemAlloc_v2"},
    {"cuMemFree", 3020, "cuMemFree_v2"},
    {"cuMemAllocPitch", 3020, "cuMemAllocPitch_v2"},
    {"cuMemAllocManaged", 6000, "cuMemAllocManaged"},
    {"cuMemGetInfo", 3020, "cuMemGetInfo_v2"},
    {"cuDeviceTotalMem", 3020, "cuDeviceTotalMem_v2"},
    {"cuCtxCreate", 12050, "cuCtxCreate_v4"},
    {"cuCtxCreate", 11040, "cuCtxCreate_v3"},
    {"cuCtxCreate", 3020, "cuCtxCreate_v2"},
    {"cuCtxDestroy", 4000, "cuCtxDestroy_v2"},
    {"cuDeviceGetUuid", 11040, "cuDeviceGetUuid_v2"},
    {"cuDeviceGetUuid", 9020, "cuDeviceGetUuid"},
    {"cuDevicePrimaryCtxRelease", 11000, "cuDevicePrimaryCtxRelease_v2"},
    {"cuMemAllocAsync", 11020, "cuMemAllocAsync"},
    {"cuMemAllocFromPoolAsync", 11020, "cuMemAllocFromPoolAsync"},
    {"cuMemFreeAsync", 11020, "cuMemFreeAsync"},
    {"cuMemCreate", 10020, "cuMemCreate"},
    {"cuLaunchKernel", 4000, "cuLaunchKernel"},
    {"cuLaunchKernelEx", 11060, "cuLaunchKernelEx"},
    {"cuGraphLaunch", 10000, "cuGraphLaunch"},
    {"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
    {"cuArrayCreate", 3020, "cuArrayCreate_v2"},
    {"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
    {"cuGetProcAddress", 11030, "cuGetProcAddress"},
};

constexpr std::uint64_t kPerThread = 2;

void* Symbol(const std::string& name) {
  static void* const self = [] {
    Dl_info found{};
    dladdr(reinterpret_cast<const void*>(&Symbol), &found);
    return dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  }();
  return dlsym(self, name.c_str());
}

int DriverVersion() {
  const char* const set = std::getenv("YARD_FAKE_CUDA_VERSION");
  return set == nullptr ? 13000 : std::atoi(set);
}

int Lookup(const char* name, void** out, int version, std::uint64_t flags, int* how) {
  *out = nullptr;
  if (how != nullptr) *how = 1;
  bool listed = false;
  for (const Version& entry : kVersions) {
    if (std::strcmp(entry.name, name) != 0) continue;
    listed = true;
    if (entry.since > version || entry.since > DriverVersion()) continue;
    if ((flags & kPerThread) != 0) *out = Symbol(std::string(entry.symbol) + "_ptsz");
    if (*out == nullptr) *out = Symbol(entry.symbol);
    break;
  }
  if (!listed) *out = Symbol(name);
  if (how != nullptr && *out != nullptr) *how = 0;
  if (how != nullptr && *out == nullptr && listed) *how = 2;
  return *out == nullptr ? kNotFound : kOk;
}

}  // namespace

FAKE_API cuGetProcAddress_v2(const char* name, void** out, int version, std::uint64_t flags,
                             int* how) {
  return Lookup(name, out, version, flags, how);
}
FAKE_API cuGetProcAddress(const char* name, void** out, int version, std::uint64_t flags) {
  return Lookup(name, out, version, flags, nullptr);
}

}  // namespace yard::slice::fake
