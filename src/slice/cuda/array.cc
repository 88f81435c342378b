// CUDA arrays, mipmapped arrays and imported external memory.
#include "slice/cuda/device.h"
#include "slice/cuda/fault.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"
#include "slice/cuda/side.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

constexpr std::uint64_t kArrayAlign = 64 << 10;
constexpr unsigned kMaxLevels = 32;

// Bytes per channel by format code. Codes that are not plain numbers count as the largest texel,
// so that an unknown future format is never charged too little.
std::uint64_t TexelBytes(unsigned format, unsigned channels) {
  switch (format) {
    case 0x01:
    case 0x08:
      return channels;  // 8-bit integers
    case 0x02:
    case 0x09:
    case 0x10:
      return channels * 2ULL;  // 16-bit integers, half
    case 0x03:
    case 0x0a:
    case 0x20:
      return channels * 4ULL;  // 32-bit integers, float
    default:
      return 16;
  }
}

std::uint64_t AtLeastOne(std::size_t n) {
  return n == 0 ? 1 : n;
}

// Rows lie in tiles of 64 bytes by 8 rows, up to 16 tiles one under the other.
std::uint64_t RowsOf(std::uint64_t height) {
  std::uint64_t tiles = 1;
  while (tiles < 16 && tiles * 8 < height) tiles *= 2;
  return height == 1 ? 1 : RoundUp(height, tiles * 8);
}

// Each level is half as wide, high and deep as the one before.
std::uint64_t ArrayBytes(const Array3dDesc& desc, unsigned levels = 1) {
  std::uint64_t bytes = 0;
  for (unsigned level = 0; level < levels && level < kMaxLevels; ++level) {
    const std::uint64_t width =
        RoundUp(AtLeastOne(desc.width >> level) * TexelBytes(desc.format, desc.channels), 64);
    const std::uint64_t rows = RowsOf(AtLeastOne(desc.height >> level));
    bytes += RoundUp(width * rows * AtLeastOne(desc.depth >> level), kArrayAlign);
  }
  return bytes > (1 << 20) ? RoundUp(bytes, kGranule) : bytes;
}

Array3dDesc Widen(const ArrayDesc& desc) {
  return {desc.width, desc.height, 0, desc.format, desc.channels, 0};
}

Array3dDesc Widen(const ArrayDescV1& desc) {
  return {desc.width, desc.height, 0, desc.format, desc.channels, 0};
}

Array3dDesc Widen(const Array3dDescV1& desc) {
  return {desc.width, desc.height, desc.depth, desc.format, desc.channels, desc.flags};
}

// Sparse and deferred arrays have no memory until some is mapped, and that is charged there.
bool HasMemory(unsigned flags) {
  return (flags & (kArraySparse | kArrayDeferred)) == 0;
}

template <class Make>
Result CreateObject(Handle* out, std::uint64_t bytes, Entry destroy, Make make) {
  Process& process = Self();
  const Current current = CurrentGpu(process);
  if (!current.has_context || bytes == 0) return make();
  if (!ReserveOrTrim(process, current.gpu, bytes)) return kOutOfMemory;
  const SideWatch watch(process, current.gpu);
  Result result = make();
  YARD_FAULT_POINT();
  // The layout is the driver's own: it may have taken more than the texels are.
  if (result == kOk && !watch.FitsBeside(bytes)) {
    Call(destroy, *out);
    watch.Fits();  // the books without it
    result = kOutOfMemory;
  }
  if (result != kOk)
    Release(process, current.gpu, bytes);
  else
    process.objects.Put(
        {.key = reinterpret_cast<std::uint64_t>(*out),
         .bytes = bytes,
         .gpu = static_cast<std::int16_t>(current.gpu),
         .kind = destroy == k_cuDestroyExternalMemory ? Kind::kExternal : Kind::kArray,
         .context = CurrentContext()});
  return result;
}

}  // namespace

Result ArrayCreate(Handle* out, const ArrayDesc* desc) {
  return CreateObject(out, desc == nullptr ? 0 : ArrayBytes(Widen(*desc)), k_cuArrayDestroy,
                      [&] { return Call(k_cuArrayCreate_v2, out, desc); });
}

Result ArrayCreateV1(Handle* out, const ArrayDescV1* desc) {
  return CreateObject(out, desc == nullptr ? 0 : ArrayBytes(Widen(*desc)), k_cuArrayDestroy,
                      [&] { return Call(k_cuArrayCreate, out, desc); });
}

Result Array3dCreate(Handle* out, const Array3dDesc* desc) {
  const bool counted = desc != nullptr && HasMemory(desc->flags);
  return CreateObject(out, counted ? ArrayBytes(*desc) : 0, k_cuArrayDestroy,
                      [&] { return Call(k_cuArray3DCreate_v2, out, desc); });
}

Result Array3dCreateV1(Handle* out, const Array3dDescV1* desc) {
  const bool counted = desc != nullptr && HasMemory(desc->flags);
  return CreateObject(out, counted ? ArrayBytes(Widen(*desc)) : 0, k_cuArrayDestroy,
                      [&] { return Call(k_cuArray3DCreate, out, desc); });
}

Result ArrayDestroy(Handle array) {
  return DropCharged(array, [&] { return Call(k_cuArrayDestroy, array); });
}

Result MipmappedCreate(Handle* out, const Array3dDesc* desc, unsigned levels) {
  const bool counted = desc != nullptr && HasMemory(desc->flags);
  return CreateObject(out, counted ? ArrayBytes(*desc, levels) : 0, k_cuMipmappedArrayDestroy,
                      [&] { return Call(k_cuMipmappedArrayCreate, out, desc, levels); });
}

Result MipmappedDestroy(Handle array) {
  return DropCharged(array, [&] { return Call(k_cuMipmappedArrayDestroy, array); });
}

// What Vulkan shares with CUDA by a descriptor was counted when Vulkan took it (books.h). A process
// that does not render has it from elsewhere and pays.
Result ImportExternal(Handle* out, const ExternalMemoryDesc* desc) {
  const bool counted =
      desc == nullptr || (desc->type == kExternalOpaqueFd && Self().renders.load() != 0);
  return CreateObject(out, counted ? 0 : RoundUp(desc->size, kGranule), k_cuDestroyExternalMemory,
                      [&] { return Call(k_cuImportExternalMemory, out, desc); });
}

Result DestroyExternal(Handle memory) {
  return DropCharged(memory, [&] { return Call(k_cuDestroyExternalMemory, memory); });
}

}  // namespace yard::slice::cuda
