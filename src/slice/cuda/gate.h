// The compute share: launches pass a gate that the keeper opens for the length of a lease.
//
// PassGate waits while the slice's lease is over; AfterLaunch marks the stream's progress with an
// event now and then, so that no more than a few milliseconds of work are ever queued and a
// helper thread can tell the keeper when the GPU has really been left (gate_drain.cc).
// In a slice without a share nothing here runs. Threads: any. Capturing streams are left alone.
#pragma once

#include <cstddef>

#include "slice/cuda/cuda_abi.h"
#include "slice/cuda/process.h"

namespace yard::slice::cuda {

enum class Lane { kLegacy, kPerThread };

// One launch of a graph may be a thousand kernels, so the two are paced apart.
enum Work : int { kKernel, kGraph, kWorkKinds };

inline constexpr int kMaxStreams = 256;
inline constexpr unsigned kRing = 8;  // events of a stream that are kept
// Launches on a stream: less than the driver takes before the next one waits in it, where nobody
// sees the wait.
inline constexpr unsigned kMaxQueued = 768;
inline constexpr unsigned kMaxBatch = kMaxQueued / 2;

// Plain loads and stores: two threads on one stream may lose a count, which only makes a batch
// longer; what is never lost is that there was a launch.
struct Pace {
  std::atomic<unsigned> since;  // launches since the last event
  std::atomic<unsigned> batch;  // launches between two events
};

// What a launch looks at is in one cache line: the driver has used the caches since the last
// launch, and every line costs.
struct alignas(64) StreamMark {
  std::atomic<std::uint64_t> key;       // of stream, context and lane; 0: free
  std::atomic<std::uint64_t> launches;  // ever, of all that had this place
  Pace pace[kWorkKinds];
  std::atomic<unsigned> idle;  // 1: the keeper was told that nothing is queued
  std::atomic<unsigned> own;   // 1: the default stream of one thread, which alone can mark it
  SpinLock lock;               // guards what follows; may be held while an event is recorded
  Lane lane;
  std::atomic<int> gpu;  // read without the lock too
  Handle stream;
  Handle context;
  Handle events[kRing];
  unsigned sizes[kRing][kWorkKinds];          // launches before each event, since the one before it
  Handle tail;                                // `own` only: behind the last launch
  unsigned recorded;                          // events recorded so far
  unsigned fresh;                             // the first of them since it had nothing to run
  unsigned passed;                            // the first that was not waited for
  std::atomic<std::uint64_t> boundary_ns;     // when the last one was, or when a gate opened since
  std::atomic<std::uint64_t> spent_ns;        // and how long the batch before it took
  std::atomic<bool> boundary_was_waited_for;  // not done already when the thread came
};
static_assert(offsetof(StreamMark, lock) + sizeof(SpinLock) <= 64);

struct Streams {
  StreamMark marks[kMaxStreams];
  std::atomic<unsigned> waiting[kMaxGpus];  // threads that have more to launch and may not yet
  std::atomic<unsigned> helper;             // 1: the drain thread runs
};

void WaitAtGate(Process& process, StreamMark* mark);
// Null: the launch is not counted. In a slice with a share only.
StreamMark* EnterStream(Process& process, Handle stream, Lane lane);
// The stream begins with nothing before it, so that its next events tell nothing of the GPU's pace.
void BeginAfresh(StreamMark& mark);
// Tells the keeper that the stream has work again.
void EndIdle(Process& process, StreamMark& mark);
void MarkProgress(StreamMark& mark, Work work);
void ForgetStream(Process& process, Handle stream);
// Before a context goes, and its streams and events with it.
void ForgetContext(Process& process, Handle context);

// Records an event behind everything launched so far; false while the stream is capturing, when
// nothing runs. Caller holds the lock.
bool RecordBehind(StreamMark& mark);
bool HasUnmarked(const StreamMark& mark);
// Of a thread's own stream: marks its end after each launch, since no other thread can.
void RecordTail(StreamMark& mark);
bool TailDone(const StreamMark& mark);
bool LastEventDone(const StreamMark& mark);

// The keeper sees that a thread of this process waits for the GPU.
class WaitForGpu {
 public:
  explicit WaitForGpu(Process& process) : slot_(process.slot) {
    if (slot_ != nullptr) slot_->waiting.fetch_add(1);
  }
  ~WaitForGpu() {
    if (slot_ != nullptr) slot_->waiting.fetch_sub(1);
  }
  WaitForGpu(const WaitForGpu&) = delete;
  WaitForGpu& operator=(const WaitForGpu&) = delete;

 private:
  Slot* const slot_;
};

// Starts the thread that reports when a closed slice has left the GPU.
void StartDrain(Process& process);

std::uint64_t GateNow();

// Sleeps until the gate's number is no longer `number`, or for `limit_ns`.
void SleepOnGate(Gpu& gpu, std::uint32_t number, long limit_ns);

inline std::uint64_t MarkKey(Handle stream, Handle context, Lane lane) {
  return (reinterpret_cast<std::uint64_t>(stream) * 3 ^ reinterpret_cast<std::uint64_t>(context)) |
         (lane == Lane::kPerThread ? 1ULL << 63 : 1ULL << 62);
}

// Most launches are on the stream of the one before. A default stream is one of its context, which
// only the driver knows, so it is never found here.
inline StreamMark* LastMark(const Process& process, Handle stream, Lane lane) {
  StreamMark* const last = process.last_mark.load(std::memory_order_acquire);
  const std::uint64_t key = MarkKey(stream, nullptr, lane);
  return last != nullptr && last->key.load(std::memory_order_acquire) == key ? last : nullptr;
}

inline void CountLaunch(Process& process, StreamMark& mark) {
  const std::uint64_t launches = mark.launches.load(std::memory_order_relaxed);
  mark.launches.store(launches + 1, std::memory_order_relaxed);
  if (mark.idle.load(std::memory_order_relaxed) != 0) EndIdle(process, mark);
}

inline StreamMark* PassGate(Process& process, Handle stream, Lane lane) {
  StreamMark* mark = LastMark(process, stream, lane);
  if (mark == nullptr) {
    if (!Attached(process) || process.region->share_mode == ShareMode::kNone) return nullptr;
    mark = EnterStream(process, stream, lane);
  }
  if (mark != nullptr) CountLaunch(process, *mark);
  if (process.region->any_gate.load(std::memory_order_relaxed) != 0) WaitAtGate(process, mark);
  return mark;
}

inline void AfterLaunch(StreamMark* mark, Work work) {
  if (mark == nullptr) return;
  if (mark->own.load(std::memory_order_relaxed) != 0) RecordTail(*mark);
  Pace& pace = mark->pace[work];
  const unsigned since = pace.since.load(std::memory_order_relaxed) + 1;
  pace.since.store(since, std::memory_order_relaxed);
  if (since >= pace.batch.load(std::memory_order_relaxed)) MarkProgress(*mark, work);
}

}  // namespace yard::slice::cuda
