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

inline constexpr int kMaxStreams = 256;
inline constexpr unsigned kRing = 4;

struct StreamMark {
  std::atomic<std::uint64_t> key;  // stream handle ^ context, 0: free
  SpinLock lock;                   // guards what follows; may be held while an event is recorded
  Handle stream;
  Handle context;
  Lane lane;
  int gpu;
  Handle events[kRing];
  unsigned recorded;            // events recorded so far
  std::uint64_t boundary_ns;    // when the last one was
  std::uint64_t spent_ns;       // and how long the batch before it took
  std::atomic<unsigned> since;  // launches since the last event
  std::atomic<unsigned> batch;  // launches between two events
};

struct Streams {
  StreamMark marks[kMaxStreams];
  std::atomic<unsigned> waiting;  // threads standing at a gate
  std::atomic<unsigned> helper;   // 1: the drain thread runs
};

void WaitAtGate(Process& process);
StreamMark* EnterStream(Process& process, Handle stream, Lane lane);
void MarkProgress(Process& process, StreamMark& mark);
void ForgetStream(Process& process, Handle stream);

// Records an event behind everything launched so far. Caller holds the lock.
void RecordBehind(StreamMark& mark);
bool LastEventDone(const StreamMark& mark);

// Starts the thread that reports when a closed slice has left the GPU.
void StartDrain(Process& process);

std::uint64_t GateNow();

// Sleeps until the gate's number is no longer `number`, or for `limit_ns`.
void SleepOnGate(Gpu& gpu, std::uint32_t number, long limit_ns);

inline StreamMark* PassGate(Process& process, Handle stream, Lane lane) {
  if (!Attached(process) || process.region->share_mode == ShareMode::kNone) return nullptr;
  StreamMark* const mark = EnterStream(process, stream, lane);
  if (process.region->any_gate.load(std::memory_order_relaxed) != 0) WaitAtGate(process);
  return mark;
}

inline void AfterLaunch(Process& process, StreamMark* mark) {
  if (mark == nullptr) return;
  if (mark->since.fetch_add(1, std::memory_order_relaxed) + 1 >=
      mark->batch.load(std::memory_order_relaxed))
    MarkProgress(process, *mark);
}

}  // namespace yard::slice::cuda
