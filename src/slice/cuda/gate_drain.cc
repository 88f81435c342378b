// The helper thread of a slice with a compute share: it tells the keeper when a closed slice's
// work has left the GPU, and when an open slice has nothing to do.
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "slice/cuda/cuda_real.h"
#include "slice/cuda/gate.h"

namespace yard::slice::cuda {
namespace {

constexpr long kLookNs = 50'000;     // while the keeper waits for the GPU to be left
constexpr long kRestNs = 1'000'000;  // otherwise, unless the gate moves
constexpr std::uint64_t kIdleNs = 2'000'000;
constexpr int kCaptureRelaxed = 2;

struct Watch {
  std::uint64_t launches = 0;
  std::uint64_t changed_ns = 0;
};

// True when everything this process queued on the GPU has finished.
bool Drained(Streams& streams, int gpu) {
  bool done = true;
  for (StreamMark& mark : streams.marks) {
    if (mark.key.load(std::memory_order_acquire) == 0 || mark.gpu != gpu) continue;
    Locked hold(mark.lock);
    if (mark.key.load() == 0) continue;
    Call(k_cuCtxSetCurrent, mark.context);
    if (mark.own.load() != 0) {
      done = done && TailDone(mark);
      continue;
    }
    if (HasUnmarked(mark)) RecordBehind(mark);
    done = done && LastEventDone(mark);
  }
  return done;
}

std::uint64_t Launched(const Streams& streams, int gpu) {
  std::uint64_t sum = 0;
  for (const StreamMark& mark : streams.marks)
    if (mark.key.load() != 0 && mark.gpu == gpu)
      sum += mark.launches.load(std::memory_order_relaxed);
  return sum;
}

// From now on the next launch on any stream tells that there is work.
void BeginIdle(Streams& streams, int gpu) {
  for (StreamMark& mark : streams.marks)
    if (mark.key.load() != 0 && mark.gpu == gpu) mark.idle.store(1);
}

void Report(Process& process, Streams& streams, int gpu, Watch& watch) {
  Slot& slot = *process.slot;
  const std::uint32_t number = process.region->gpu[gpu].gate.load();
  const std::uint64_t launches = Launched(streams, gpu);
  const std::uint64_t now = GateNow();
  if (launches != watch.launches) {
    watch = {launches, now};
    slot.active[gpu].store(1);
  }
  if (number != 0 && slot.drained[gpu].load() != number && Drained(streams, gpu)) {
    slot.drained_ns[gpu].store(GateNow());
    slot.drained[gpu].store(number);
  }
  const bool quiet = now - watch.changed_ns > kIdleNs && streams.waiting[gpu].load() == 0;
  if (number == 0 && quiet && slot.active[gpu].load() != 0 && Drained(streams, gpu)) {
    slot.active[gpu].store(0);
    BeginIdle(streams, gpu);
    if (Launched(streams, gpu) != launches) slot.active[gpu].store(1);
  }
}

// Short while a closing is unanswered, else until the gate moves.
void Rest(Process& process, unsigned gpu_number) {
  Gpu& gpu = process.region->gpu[gpu_number];
  const std::uint32_t number = gpu.gate.load();
  const timespec look{0, kLookNs};
  if (number != 0 && process.slot->drained[gpu_number].load() != number)
    nanosleep(&look, nullptr);
  else
    SleepOnGate(gpu, number, kRestNs);
}

void* DrainLoop(void* argument) {
  Process& process = *static_cast<Process*>(argument);
  Streams& streams = *process.streams.load();
  Watch watch[kMaxGpus];
  int mode = kCaptureRelaxed;
  Call(k_cuThreadExchangeStreamCaptureMode, &mode);
  prctl(PR_SET_TIMERSLACK, 1);
  Handle context = nullptr;
  while (Call(k_cuCtxGetCurrent, &context) != kDeinitialized) {
    unsigned used = 0;
    for (unsigned gpu = 0; gpu < process.region->gpu_count; ++gpu) {
      if (process.slot->launches[gpu].load() == 0) continue;
      Report(process, streams, static_cast<int>(gpu), watch[gpu]);
      used = gpu;
    }
    Rest(process, used);
  }
  return nullptr;
}

}  // namespace

void StartDrain(Process& process) {
  Streams& streams = *process.streams.load();
  if (streams.helper.exchange(1) != 0) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, DrainLoop, &process) == 0)
    pthread_detach(thread);
  else
    streams.helper.store(0);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace yard::slice::cuda
