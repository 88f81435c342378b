// The keeper's hold on one slice's region: a sealed memfd, mapped.
//
// Sealed against shrinking, so that no workload can make the keeper fault. The descriptor may be
// kept by a second process too (the one that watches over the task); a restarted keeper takes the
// region back from there.
// Threads: one owner; the region itself is all atomics.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>

#include "base/result.h"
#include "slice/region.h"

namespace yard::slice {

struct GpuLimit {
  Uuid uuid;
  std::uint64_t physical = 0;  // what programs could use of the whole GPU; 0: not known
  std::uint64_t hard = 0;      // the limit
  std::uint64_t soft = 0;  // the request; below the limit: the slice may grow when there is room
  std::uint64_t context_bytes = 0;
  std::uint32_t share_milli = 0;
};

class SharedRegion {
 public:
  static Result<SharedRegion> Create(std::uint64_t slice, std::span<const GpuLimit> gpus,
                                     ShareMode mode);
  // Maps a descriptor that an earlier keeper made.
  static Result<SharedRegion> Adopt(int fd);
  // Finds the region of `slice` among the open files of a process that kept it.
  static Result<SharedRegion> FromHolder(pid_t holder, std::uint64_t slice);

  SharedRegion(SharedRegion&& other) noexcept;
  SharedRegion& operator=(SharedRegion&& other) noexcept;
  ~SharedRegion();

  Region& operator*() const { return *region_; }
  Region* operator->() const { return region_; }
  int fd() const { return fd_; }

 private:
  SharedRegion(int fd, Region* region) : fd_(fd), region_(region) {}
  int fd_ = -1;
  Region* region_ = nullptr;
};

}  // namespace yard::slice
