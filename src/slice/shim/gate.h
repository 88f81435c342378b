// The compute share: launches pass a gate that the keeper opens for the length of a lease.
//
// PassGate waits while the slice's lease is over; AfterLaunch marks the stream's progress with an
// event now and then, so that no more than a few milliseconds of work are ever queued and a
// helper thread can tell the keeper when the GPU has really been left (gate_drain.cc).
// In a slice without a share nothing here runs. Threads: any. Capturing streams are left alone.
#pragma once

#include "slice/shim/cuda_abi.h"
#include "slice/shim/process.h"

namespace yard::slice::cuda {

enum class Lane { kLegacy, kPerThread };

// One launch of a graph may be a thousand kernels, so the two are paced apart.
enum Work : int { kKernel, kGraph, kWorkKinds };

inline constexpr int kMaxStreams = 256;
inline constexpr unsigned kRing = 4;

// Plain loads and stores: two threads on one stream may lose a count, which only makes a batch
// longer; what is never lost is that there was a launch.
struct Pace {
  std::atomic<unsigned> since;  // launches since the last event
  std::atomic<unsigned> batch;  // launches between two events
};

struct StreamMark {
  std::atomic<std::uint64_t> key;  // stream handle ^ context, 0: free
  SpinLock lock;                   // guards what follows; may be held while an event is recorded
  Handle stream;
  Handle context;
  Lane lane;
  int gpu;
  Handle events[kRing];
  unsigned recorded;                       // events recorded so far
  std::atomic<std::uint64_t> boundary_ns;  // when the last one was, or when a gate opened since
  std::uint64_t spent_ns;                  // and how long the batch before it took
  Pace pace[kWorkKinds];
};

struct Streams {
  StreamMark marks[kMaxStreams];
  std::atomic<unsigned> waiting;  // threads standing at a gate
  std::atomic<unsigned> helper;   // 1: the drain thread runs
};

void WaitAtGate(Process& process, StreamMark* mark);
StreamMark* EnterStream(Process& process, Handle stream, Lane lane);
void MarkProgress(StreamMark& mark, Work work);
void ForgetStream(Process& process, Handle stream);

// Records an event behind everything launched so far; false while the stream is capturing, when
// nothing runs. Caller holds the lock.
bool RecordBehind(StreamMark& mark);
bool HasUnmarked(const StreamMark& mark);
bool LastEventDone(const StreamMark& mark);

// Starts the thread that reports when a closed slice has left the GPU.
void StartDrain(Process& process);

std::uint64_t GateNow();

// Sleeps until the gate's number is no longer `number`, or for `limit_ns`.
void SleepOnGate(Gpu& gpu, std::uint32_t number, long limit_ns);

inline StreamMark* PassGate(Process& process, Handle stream, Lane lane) {
  if (!Attached(process) || process.region->share_mode == ShareMode::kNone) return nullptr;
  StreamMark* const mark = EnterStream(process, stream, lane);
  if (process.region->any_gate.load(std::memory_order_relaxed) != 0) WaitAtGate(process, mark);
  return mark;
}

inline void AfterLaunch(StreamMark* mark, Work work) {
  if (mark == nullptr) return;
  Pace& pace = mark->pace[work];
  const unsigned since = pace.since.load(std::memory_order_relaxed) + 1;
  pace.since.store(since, std::memory_order_relaxed);
  if (since >= pace.batch.load(std::memory_order_relaxed)) MarkProgress(*mark, work);
}

}  // namespace yard::slice::cuda
