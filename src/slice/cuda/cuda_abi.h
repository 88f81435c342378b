// The part of the CUDA driver's binary interface that the stand-in library touches: our own
// declarations of result codes, handles, and the leading fields of the structures it reads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace yard::slice::cuda {

using Result = int;
using Device = int;
using DevicePtr = std::uint64_t;
using Handle = void*;  // context, stream, event, array, pool, graph, function: opaque
using AllocHandle = std::uint64_t;

inline constexpr Result kOk = 0;
inline constexpr Result kInvalidValue = 1;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kNotInitialized = 3;
inline constexpr Result kDeinitialized = 4;
inline constexpr Result kNoDevice = 100;
inline constexpr Result kNotPermitted = 800;
inline constexpr Result kNotSupported = 801;
inline constexpr Result kNotFound = 500;
inline constexpr Result kNotReady = 600;

enum : int { kLocationDevice = 1 };

struct Location {
  int type;
  int id;
};

struct AllocationProp {
  int type;
  int handle_types;
  Location location;
  void* meta;
  std::uint8_t flags[8];
};

struct PoolProps {
  int type;
  int handle_types;
  Location location;
  void* security;
  std::size_t max_size;
  std::uint16_t usage;
  std::uint8_t reserved[54];
};

struct ArrayDesc {
  std::size_t width;
  std::size_t height;
  unsigned format;
  unsigned channels;
};

struct Array3dDesc {
  std::size_t width;
  std::size_t height;
  std::size_t depth;
  unsigned format;
  unsigned channels;
  unsigned flags;
};

// The first versions of the array calls have 32-bit sizes.
struct ArrayDescV1 {
  unsigned width, height, format, channels;
};

struct Array3dDescV1 {
  unsigned width, height, depth, format, channels, flags;
};

inline constexpr unsigned kArraySparse = 0x40;
inline constexpr unsigned kArrayDeferred = 0x80;

struct MemAllocNode {
  PoolProps pool;
  const void* access;
  std::size_t access_count;
  std::size_t bytes;
  DevicePtr dptr;
};

inline constexpr int kNodeMemAlloc = 10;

struct GraphNodeParams {
  int type;
  int reserved0[3];
  union {
    long long reserved1[29];
    MemAllocNode alloc;
  };
  long long reserved2;
};

struct ExternalMemoryDesc {
  int type;
  void* handle[2];
  std::uint64_t size;
  unsigned flags;
  unsigned reserved[16];
};

inline constexpr int kExternalOpaqueFd = 1;
inline constexpr int kPoolPinned = 1;  // the ordinary kind of pool
inline constexpr int kPoolReservedCurrent = 5;
inline constexpr int kGraphReservedCurrent = 2;

inline constexpr int kFunctionLocalBytes = 3;
inline constexpr int kDeviceProcessors = 16;
inline constexpr int kDeviceThreadsPerProcessor = 39;
inline constexpr int kLimitStack = 0;
inline constexpr int kLimitHeap = 2;
// A context has this much local memory for each thread from its beginning.
inline constexpr int kLocalInContext = 1024;

struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  Handle stream;
  void* attributes;
  unsigned attribute_count;
};

static_assert(sizeof(AllocationProp) == 32 && sizeof(PoolProps) == 88);
static_assert(offsetof(GraphNodeParams, alloc) == 16 && sizeof(GraphNodeParams) == 256);
static_assert(offsetof(ExternalMemoryDesc, size) == 24);
static_assert(offsetof(LaunchConfig, stream) == 32);

}  // namespace yard::slice::cuda
