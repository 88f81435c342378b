// Our answers to the driver calls listed in cuda_wraps.inc; signatures are the driver's.
//
// Every function asks the real driver and returns its code; the only code of our own is "out of
// memory" (and "no device" before a keeper has let the process in). Threads: any.
#pragma once

#include "slice/cuda/cuda_abi.h"
#include "slice/cuda/cuda_real.h"

namespace yard::slice::cuda {

// lookup.cc
Result Init(unsigned flags);
template <Entry kReal>
Result GetProcAddress(const char* name, void** out, int version, std::uint64_t flags);
template <Entry kReal>
Result GetProcAddressV2(const char* name, void** out, int version, std::uint64_t flags, int* how);
Result CheckpointDenied(int pid, void* args);

// report.cc
Result DeviceTotalMemV1(unsigned* bytes, Device device);
Result DeviceTotalMem(std::size_t* bytes, Device device);
Result MemGetInfoV1(unsigned* free, unsigned* total);
Result MemGetInfo(std::size_t* free, std::size_t* total);

// context.cc
Result PrimaryCtxRetain(Handle* context, Device device);
template <Entry kReal>
Result PrimaryCtxRelease(Device device);
template <Entry kReal>
Result PrimaryCtxReset(Device device);
template <Entry kReal>
Result CtxCreate(Handle* context, unsigned flags, Device device);
Result CtxCreateV3(Handle* context, void* affinity, int count, unsigned flags, Device device);
Result CtxCreateV4(Handle* context, void* params, unsigned flags, Device device);
template <Entry kReal>
Result CtxDestroy(Handle context);

// linear.cc
Result MemAllocV1(unsigned* out, unsigned bytes);
Result MemAlloc(DevicePtr* out, std::size_t bytes);
Result MemAllocPitchV1(unsigned* out, unsigned* pitch, unsigned width, unsigned height,
                       unsigned element);
Result MemAllocPitch(DevicePtr* out, std::size_t* pitch, std::size_t width, std::size_t height,
                     unsigned element);
Result MemAllocManaged(DevicePtr* out, std::size_t bytes, unsigned flags);
Result MemFreeV1(unsigned pointer);
Result MemFree(DevicePtr pointer);

// pool.cc
template <Entry kReal>
Result MemAllocAsync(DevicePtr* out, std::size_t bytes, Handle stream);
template <Entry kReal>
Result MemAllocFromPool(DevicePtr* out, std::size_t bytes, Handle pool, Handle stream);
template <Entry kReal>
Result MemFreeAsync(DevicePtr pointer, Handle stream);
Result MemPoolCreate(Handle* pool, const PoolProps* props);
Result MemPoolDestroy(Handle pool);
Result MemPoolTrimTo(Handle pool, std::size_t keep);
Result MemPoolSetAttribute(Handle pool, int attribute, void* value);
Result DeviceSetMemPool(Device device, Handle pool);
Result MemSetMemPool(void* location, int type, Handle pool);

// capture.cc
template <Entry kReal>
Result BeginCapture(Handle stream, int mode);
// Six parameters because the driver's function has six.
template <Entry kReal>
Result BeginCaptureToGraph(Handle stream, Handle graph, const Handle* after, const void* edges,
                           std::size_t count, int mode);
template <Entry kReal>
Result BeginCaptureToCig(Handle stream, void* params);
template <Entry kReal>
Result EndCapture(Handle stream, Handle* graph);
template <Entry kReal>
Result EndCaptureToCig(Handle stream);

// vmm.cc
Result MemCreate(AllocHandle* out, std::size_t bytes, const AllocationProp* prop,
                 unsigned long long flags);
Result MemRelease(AllocHandle handle);
Result MemRetain(AllocHandle* out, void* address);
Result MemMap(DevicePtr pointer, std::size_t bytes, std::size_t offset, AllocHandle handle,
              unsigned long long flags);
Result MemUnmap(DevicePtr pointer, std::size_t bytes);

// array.cc
Result ArrayCreate(Handle* out, const ArrayDesc* desc);
Result ArrayCreateV1(Handle* out, const ArrayDescV1* desc);
Result Array3dCreate(Handle* out, const Array3dDesc* desc);
Result Array3dCreateV1(Handle* out, const Array3dDescV1* desc);
Result ArrayDestroy(Handle array);
Result MipmappedCreate(Handle* out, const Array3dDesc* desc, unsigned levels);
Result MipmappedDestroy(Handle array);
Result ImportExternal(Handle* out, const ExternalMemoryDesc* desc);
Result DestroyExternal(Handle memory);

// module.cc: the long lists are the driver's.
Result ModuleLoad(Handle* out, const char* path);
Result ModuleLoadData(Handle* out, const void* image);
Result ModuleLoadDataEx(Handle* out, const void* image, unsigned count, void* options,
                        void** values);
Result ModuleLoadFatBinary(Handle* out, const void* image);
Result ModuleUnload(Handle module);
Result ModuleGetFunction(Handle* out, Handle module, const char* name);
Result ModuleGetGlobal(DevicePtr* out, std::size_t* bytes, Handle module, const char* name);
Result LibraryLoadData(Handle* out, const void* image, void* jit, void** jit_values, unsigned jits,
                       void* options, void** values, unsigned count);
Result LibraryLoadFromFile(Handle* out, const char* path, void* jit, void** jit_values,
                           unsigned jits, void* options, void** values, unsigned count);
Result LibraryUnload(Handle library);
Result LibraryGetModule(Handle* out, Handle library);
Result LibraryGetGlobal(DevicePtr* out, std::size_t* bytes, Handle library, const char* name);
Result LibraryGetKernel(Handle* out, Handle library, const char* name);
Result KernelGetFunction(Handle* out, Handle kernel);
Result FuncLoad(Handle function);
Result CtxSetLimit(int limit, std::size_t value);

// graph.cc
Result GraphAddMemAllocNode(Handle* node, Handle graph, const Handle* after, std::size_t count,
                            MemAllocNode* params);
Result GraphAddNode(Handle* node, Handle graph, const Handle* after, std::size_t count,
                    GraphNodeParams* params);
// Six parameters because the driver's function has six.
Result GraphAddNodeV2(Handle* node, Handle graph, const Handle* after, const void* edges,
                      std::size_t count, GraphNodeParams* params);
template <Entry kReal>
Result GraphUpload(Handle exec, Handle stream);
template <Entry kReal>
Result GraphLaunch(Handle exec, Handle stream);
Result GraphExecDestroy(Handle exec);
Result GraphMemTrim(Device device);

// launch.cc: the long lists are the driver's.
template <Entry kReal>
Result LaunchKernel(Handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                    unsigned by, unsigned bz, unsigned shared, Handle stream, void** params,
                    void** extra);
template <Entry kReal>
Result LaunchKernelEx(const LaunchConfig* config, Handle function, void** params, void** extra);
template <Entry kReal>
Result LaunchCooperative(Handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                         unsigned by, unsigned bz, unsigned shared, Handle stream, void** params);
Result LaunchMultiDevice(void* list, unsigned count, unsigned flags);
Result Launch(Handle function);
Result LaunchGrid(Handle function, int width, int height);
Result LaunchGridAsync(Handle function, int width, int height, Handle stream);
template <Entry kReal>
Result StreamDestroy(Handle stream);

}  // namespace yard::slice::cuda
