#include "slice/agent/shared_region.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace yard::slice {
namespace {

std::string MemfdName(std::uint64_t slice) {
  return "gpuyard-slice-" + std::to_string(slice);
}

Result<Region*> Map(int fd) {
  void* const memory = mmap(nullptr, sizeof(Region), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED)
    return Fail(Code::kUnavailable, "cannot map a slice region: " + std::string(strerror(errno)));
  return static_cast<Region*>(memory);
}

void Fill(Region& region, std::uint64_t slice, std::span<const GpuLimit> gpus, ShareMode mode) {
  region.magic = kRegionMagic;
  region.abi = kRegionAbi;
  region.size = sizeof(Region);
  region.gpu_count = static_cast<std::uint32_t>(gpus.size());
  region.share_mode = mode;
  region.slice = slice;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    Gpu& gpu = region.gpu[i];
    gpu.uuid = gpus[i].uuid;
    gpu.physical = gpus[i].physical;
    gpu.soft = std::min(gpus[i].soft, gpus[i].hard);
    gpu.hard = gpu.soft.load();
    // Without knowing the card nothing can be lent.
    gpu.limit = gpus[i].physical == 0 ? gpu.soft.load() : gpus[i].hard;
    gpu.context_bytes = gpus[i].context_bytes;
    gpu.share_milli = gpus[i].share_milli;
  }
}

}  // namespace

Result<SharedRegion> SharedRegion::Create(std::uint64_t slice, std::span<const GpuLimit> gpus,
                                          ShareMode mode) {
  if (gpus.empty() || gpus.size() > kMaxGpus)
    return Fail(Code::kInvalid, "a slice needs 1 to 16 GPUs");
  const int fd = memfd_create(MemfdName(slice).c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return Fail(Code::kUnavailable, "cannot make a slice region");
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (ftruncate(fd, sizeof(Region)) != 0 || fcntl(fd, F_ADD_SEALS, kSeals) != 0) {
    close(fd);
    return Fail(Code::kUnavailable, "cannot size and seal a slice region");
  }
  auto region = Map(fd);
  if (!region) {
    close(fd);
    return Fail(region.error());
  }
  Fill(**region, slice, gpus, mode);
  return SharedRegion(fd, *region);
}

Result<SharedRegion> SharedRegion::Adopt(int fd) {
  struct stat status{};
  if (fstat(fd, &status) != 0 || status.st_size != static_cast<off_t>(sizeof(Region)))
    return Fail(Code::kInvalid, "the file is not a slice region");
  YARD_ASSIGN(Region* const region, Map(fd));
  if (region->magic == kRegionMagic && region->abi == kRegionAbi) return SharedRegion(fd, region);
  munmap(region, sizeof(Region));
  return Fail(Code::kInvalid, "the slice region is of another version");
}

Result<SharedRegion> SharedRegion::FromHolder(pid_t holder, std::uint64_t slice) {
  const std::string folder = "/proc/" + std::to_string(holder) + "/fd";
  const std::string wanted = "/memfd:" + MemfdName(slice) + " (deleted)";
  DIR* const open_files = opendir(folder.c_str());
  if (open_files == nullptr)
    return Fail(Code::kNotFound, "process " + std::to_string(holder) + " cannot be read");
  int fd = -1;
  while (const dirent* const file = readdir(open_files)) {
    const std::string path = folder + "/" + file->d_name;
    char target[256] = {};
    if (readlink(path.c_str(), target, sizeof(target) - 1) < 0 || wanted != target) continue;
    fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    break;
  }
  closedir(open_files);
  if (fd < 0)
    return Fail(Code::kNotFound, "process " + std::to_string(holder) + " holds no such region");
  return Adopt(fd);
}

SharedRegion::SharedRegion(SharedRegion&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), region_(std::exchange(other.region_, nullptr)) {}

SharedRegion& SharedRegion::operator=(SharedRegion&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(region_, other.region_);
  return *this;
}

SharedRegion::~SharedRegion() {
  if (region_ != nullptr) munmap(region_, sizeof(Region));
  if (fd_ >= 0) close(fd_);
}

}  // namespace yard::slice
