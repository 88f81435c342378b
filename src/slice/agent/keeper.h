// The node's keeper of slices: makes their folders, lets processes in, frees what the dead leave,
// audits with NVML and hands out leases.
//
// Three threads of its own: one for sockets and deaths, one for the audit (NVML may block), and,
// while some slice has a compute share, one for leases. The memory cap needs none of them: it
// lives in the region and holds while the keeper is away.
// Threads: every method may be called from any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "slice/agent/checkpoint.h"
#include "slice/agent/context_sizes.h"
#include "slice/agent/gates.h"
#include "slice/agent/slice.h"
#include "slice/nvml.h"

namespace yard::slice {

struct KeeperOptions {
  std::string root;       // slice folders are made here; best on a tmpfs
  std::string library;    // folder with our libcuda.so.1 and libnvidia-ml.so.1
  std::string real_cuda;  // the driver's libcuda.so.1
  std::string real_nvml;
  LeaseOptions lease = {};
  // Of every GPU, never lent beyond requests: what the driver takes on the side must find room.
  std::uint64_t kept_back = 0;
  // What contexts take is kept in this file; empty: nowhere.
  std::string context_sizes = {};
  // All processes of the workload that has the slice, whether they registered or not; called from
  // the auditing thread. Empty: those that registered.
  std::function<std::vector<pid_t>(const std::string& slice)> processes = {};
};

struct SliceSpec {
  std::string name;  // one path component
  std::uint64_t number = 0;
  std::vector<GpuLimit> gpus;
  ShareMode mode = ShareMode::kNone;
  // What processes hold that did not register: does it count against the slice's part?
  enum class Beside { kCounts, kIsTold } beside = Beside::kCounts;
};

enum class EventKind {
  kJoined,
  kLeft,
  kRefused,
  kOverLimit,
  kAuditLost,
  kAboveRequest,  // holds more than its request, which a neighbour needs by now
  kGaveBack,      // no longer
  kWritten,       // somebody wrote what the keeper alone may write
};

struct Event {
  EventKind kind;
  std::string slice;
  std::string text;
};

struct GpuState {
  std::uint64_t hard = 0, used = 0, overhead = 0, refused = 0;
  std::int64_t drift = 0;
  std::uint64_t lease_ns = 0;
  std::uint64_t request = 0, limit = 0, room = 0;
  std::uint64_t seen = 0,
                peak = 0;  // by NVML, of all its processes: at the last audit, and the most
  std::uint64_t context_bytes = 0;
};

struct SliceState {
  int processes = 0;
  std::vector<GpuState> gpus;
  bool parked = false;
};

class Keeper {
 public:
  using OnEvent = std::function<void(const Event&)>;

  Keeper(KeeperOptions options, OnEvent on_event);
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Makes the slice and returns its folder.
  Result<std::string> Add(const SliceSpec& spec);
  // Takes up a slice that an earlier keeper made, from a process that kept its region open.
  // A specification without GPUs leaves its limits as the region has them.
  Result<std::string> Adopt(const SliceSpec& spec, pid_t holder);
  Status Remove(const std::string& name);

  // A live change. Requests on one GPU never exceed it together (kConflict); above its request a
  // slice gets what is spare. Memory that is held already is not taken away: a slice above its
  // limit gets no more, and one above its request that a neighbour needs is named by an event.
  struct Limits {
    std::uint64_t request = 0, limit = 0;
  };
  Status SetLimits(const std::string& name, int gpu, const Limits& limits);
  // Takes the slice's processes off the GPU, all or none, and puts them back. While they are away
  // others may have its part: it comes back when the requests fit again (else kConflict) and the
  // memory is free (else kUnavailable), and is away until then. Nobody joins it meanwhile.
  // kUnsupported if the driver knows no checkpoints.
  Status Park(const std::string& name, Micros lock_timeout);
  Status Unpark(const std::string& name, Micros lock_timeout);
  Result<SliceState> State(const std::string& name);
  // The region's descriptor, for the process that shall keep it over a restart.
  Result<int> RegionFd(const std::string& name);
  // One audit now, instead of waiting for the next.
  void AuditNow();

 private:
  struct Seat {
    Slice slice;
    std::string folder;
    int listener = -1;
    SliceSpec::Beside beside = SliceSpec::Beside::kCounts;
    int over_limit_rounds[kMaxGpus] = {};
    std::uint64_t seen[kMaxGpus] = {};  // by NVML
    std::uint64_t peak[kMaxGpus] = {};
    bool written = false;  // and told
    std::uint64_t refused_seen = 0;
    bool above_request[kMaxGpus] = {};  // and somebody needs what it holds
  };
  // One slice's part of a GPU.
  struct Part {
    Seat* seat;
    int gpu;
  };
  struct Card {
    std::uint64_t size = 0;  // 0: not known
    std::uint64_t lendable = 0;
    std::vector<Part> parts;
  };

  // A process that waits until NVML was asked.
  struct Looker {
    int fd = -1;
    pid_t pid = 0;
    Uuid gpu{};
    bool fresh = false;  // it holds one context and nothing else, it says
  };

  Result<std::string> Open(Slice slice, SliceSpec::Beside beside);
  Seat* Find(const std::string& name);
  Status OpenCheckpointer();
  static Parking ParkingOf(const Seat& seat);
  void SetParking(Seat& seat, Parking parking);
  void Serve();
  void ServeOnce(int timeout_ms);
  void AnswerCaller(Seat& seat);
  Card CardOf(const Uuid& uuid);
  Status CheckRequest(const Uuid& uuid, std::uint64_t more);
  bool GrantWish(Seat& seat, const Wish& wish);
  void Balance(const Uuid& uuid);
  void BalanceAll();
  void TellHolders(const Card& card);
  void TellRefused();
  void ReapAll();
  void GuardAll();
  bool TakeLooker(Seat& seat, Looker looker, const Wish& wish);
  void AuditLoop();
  std::vector<Looker> AwaitAudit();
  void AuditDevice(const Nvml& nvml, const NvmlDevice& device, const std::vector<Looker>& lookers);
  void Learn(const NvmlDevice& device, const UseByPid& use, const std::vector<Looker>& lookers);
  template <class Visit>
  void ForEachPart(const NvmlDevice& device, Visit visit);
  std::map<std::string, std::vector<pid_t>> ProcessesBySlice();
  std::optional<Event> CheckLimit(Seat& seat, int gpu, const std::vector<pid_t>& pids,
                                  const UseByPid& use);
  void Wake();

  const KeeperOptions options_;
  const OnEvent on_event_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Seat>> seats_;      // guarded by mutex_
  std::map<std::string, std::uint64_t> foreign_;  // guarded by mutex_; by UUID: others' bytes
  Gates gates_;
  std::mutex checkpoint_mutex_;               // one checkpoint or restore at a time
  std::optional<Checkpointer> checkpointer_;  // guarded by checkpoint_mutex_; opened when needed
  std::mutex audit_mutex_;
  std::condition_variable audit_soon_;
  std::vector<Looker> lookers_;  // guarded by audit_mutex_
  bool audit_now_ = false;       // guarded by audit_mutex_
  ContextSizes sizes_;           // guarded by mutex_
  std::atomic<bool> stop_ = false;
  std::atomic<int> hurry_ = 0;  // quick audits left after a process joined
  int wake_[2] = {-1, -1};
  std::thread server_, auditor_;
};

}  // namespace yard::slice
