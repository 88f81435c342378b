// One slice as its keeper sees it: the region, the processes in it, and the books.
//
// A process that dies is noticed through its pidfd, after the kernel has closed its files and so
// given its GPU memory back; its slot is cleared and the sums are counted again.
// What the slice may hold is decided here, in the keeper's own memory. The region is a copy that
// the workload may write; whatever differs there is put right again.
// Invariant: after Reap or Recount returns true, Gpu::used is the sum over living processes.
// Threads: one at a time; the keeper guards it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slice/agent/shared_region.h"
#include "slice/protocol.h"

namespace yard::slice {

struct Member {
  int slot = -1;
  pid_t pid = 0;
  int pidfd = -1;
  // As the present audit began, and since when that has not changed.
  std::uint64_t changes = 0;
  std::uint64_t same_since_ns = 0;
  // What the driver took for it beyond its charges, as far as it was seen.
  std::uint64_t beyond[kMaxGpus] = {};
};

// Bytes of GPU memory by process, as NVML sees one GPU.
using UseByPid = std::map<pid_t, std::uint64_t>;

// What the slice has of one GPU; as in Gpu.
struct Terms {
  Uuid uuid{};
  std::uint64_t physical = 0;
  std::uint64_t hard = 0, soft = 0, limit = 0;
  std::uint64_t context_bytes = 0;
};

class Slice {
 public:
  Slice(std::string name, SharedRegion region);
  ~Slice();
  Slice(Slice&&) noexcept = default;
  Slice& operator=(Slice&&) = delete;

  // Takes up the processes that registered with an earlier keeper; the dead among them go.
  void AdoptMembers();
  // What it was given, where the region alone was there to tell.
  void Restate(std::span<const GpuLimit> gpus, ShareMode mode);
  // Puts right what others wrote into the region. True if there was something.
  bool Guard();

  // Gives the process a slot; one that registers again has called exec and starts from nothing.
  Answer Register(pid_t pid, std::uint32_t inner_pid, std::uint32_t* slot);

  // Drops the processes that have ended. Returns how many.
  int Reap();

  // Counts the sums again. False if some living process did not leave its window in time, in
  // which case nothing changed.
  bool Recount() {
    return WhileQuiet([] {});
  }

  // Takes back what the slice may hold beyond its request and does not. False: not now.
  bool TakeBack(int gpu);
  // Changes request and limit; what is held beyond them stays until it is freed.
  void SetLimits(int gpu, std::uint64_t request, std::uint64_t limit);
  // Changes what may be held now.
  void SetHard(int gpu, std::uint64_t hard);
  void SetContextBytes(int gpu, std::uint64_t bytes);
  // By the books.
  std::uint64_t Held(int gpu) const;
  // What one of its processes has charged; nothing if it is none of them.
  std::optional<std::uint64_t> ChargedBy(pid_t pid, int gpu) const;

  // sum of slots - Gpu::used; nonzero outside a window is a bug.
  std::int64_t Drift(int gpu) const;

  // An audit begins before NVML is asked and ends with its answer. Overhead is what NVML saw of
  // each process beyond its charges, and all that processes hold which did not register. Of one
  // that charged something meanwhile nothing is learned. It falls when a process ends, or has
  // charged nothing for a while: until then it may wait for memory that is charged and not taken,
  // which hides as much overhead.
  void BeginAudit(int gpu);
  void EndAudit(int gpu, const UseByPid& use, std::uint64_t beside);

  int gpu_count() const { return static_cast<int>(terms_.size()); }
  const Terms& terms(int gpu) const { return terms_[static_cast<std::size_t>(gpu)]; }
  const std::string& name() const { return name_; }
  const std::vector<Member>& members() const { return members_; }
  SharedRegion& region() { return region_; }
  const SharedRegion& region() const { return region_; }

 private:
  void Clear(int slot);
  // Counts while nobody reserves or frees, and does `then` before they go on.
  bool WhileQuiet(const std::function<void()>& then);
  bool WaitForWindows() const;
  std::uint64_t Charged(int gpu) const;
  std::uint64_t BeyondOf(Member& member, int gpu, const UseByPid& use) const;

  std::string name_;
  SharedRegion region_;
  std::vector<Terms> terms_;
  std::vector<Member> members_;
  std::uint32_t generation_ = 0;
};

}  // namespace yard::slice
