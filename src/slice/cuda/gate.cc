#include "slice/cuda/gate.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "slice/cuda/cuda_real.h"
#include "slice/cuda/device.h"

namespace yard::slice::cuda {
namespace {

constexpr std::uint64_t kMs = 1'000'000;
// No timing and nothing to sleep on: an event that wakes a sleeper costs three times as much.
constexpr unsigned kEventFlags = 2;
constexpr long kAskAgainNs = 50'000;
constexpr int kCaptureRelaxed = 2;
// Batches that may be queued while nobody else needs the GPU to be left soon, in leases, and of
// launches that take long.
constexpr unsigned kOpenDepth = 6, kLeaseDepth = 3, kLongDepth = 2;
static_assert(kOpenDepth < kRing);
constexpr std::uint64_t kShortNs = 2 * kMs, kAimNs = 7 * kMs / 2, kLongNs = 4 * kMs;

void MakeStreams(Process& process) {
  void* const memory =
      mmap(nullptr, sizeof(Streams), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  process.streams.store(static_cast<Streams*>(memory), std::memory_order_release);
}

// The default streams have small numbers that every context understands; any other handle is
// one stream of one context.
bool IsDefault(Handle stream) {
  return reinterpret_cast<std::uint64_t>(stream) <= 2;
}

// One of each thread: what another thread records behind it is behind a stream of its own.
bool IsThreadsOwn(Handle stream, Lane lane) {
  const auto number = reinterpret_cast<std::uint64_t>(stream);
  return number == 2 || (number == 0 && lane == Lane::kPerThread);
}

std::uint64_t ThisThread() {
  return static_cast<std::uint64_t>(pthread_self());
}

void Fill(StreamMark& mark, Process& process, Handle stream) {
  Device device = 0;
  Handle context = nullptr;
  Call(k_cuCtxGetCurrent, &context);
  if (context != mark.context)  // an event is of the context it was made in
    mark.tail = nullptr;
  if (context != mark.context)
    for (Handle& event : mark.events) event = nullptr;
  mark.stream = stream;
  mark.context = context;
  mark.gpu = CurrentDevice(&device) ? GpuOfDevice(process, device) : -1;
  mark.recorded = mark.fresh = mark.passed = 0;
  mark.boundary_ns.store(GateNow());
  mark.spent_ns = 0;
  mark.boundary_was_waited_for = false;
  mark.idle.store(1);  // the keeper has not heard of it
  mark.own.store(IsThreadsOwn(stream, mark.lane) ? 1 : 0);
  for (Pace& pace : mark.pace) {
    pace.since.store(0);
    pace.batch.store(1);
  }
  int mode = kCaptureRelaxed;
  Call(k_cuThreadExchangeStreamCaptureMode, &mode);
  for (Handle& event : mark.events)
    if (event == nullptr) Call(k_cuEventCreate, &event, kEventFlags);
  if (mark.own.load() != 0 && mark.tail == nullptr) Call(k_cuEventCreate, &mark.tail, kEventFlags);
  Call(k_cuThreadExchangeStreamCaptureMode, &mode);
}

// The gate is closed for this process's GPU and the keeper is alive.
bool Closed(const Gpu& gpu, std::uint32_t number) {
  return number != 0 && GateNow() < gpu.gate_deadline_ns.load();
}

bool Capturing(const StreamMark& mark) {
  const Entry ask =
      mark.lane == Lane::kPerThread ? k_cuStreamIsCapturing_ptsz : k_cuStreamIsCapturing;
  int status = 0;
  return Call(ask, mark.stream, &status) != kOk || status != 0;
}

unsigned Clamped(std::uint64_t batch, std::uint64_t most) {
  return static_cast<unsigned>(
      std::clamp(batch, std::uint64_t{1}, std::min<std::uint64_t>(most, kMaxBatch)));
}

// Whether an event was still to come, and how long.
struct Waited {
  bool at_all;
  std::uint64_t ns;
};

// What has left the GPU since the last event that was waited for.
struct Passed {
  unsigned batches = 0;
  unsigned launches[kWorkKinds] = {};  // of all of them
  unsigned newest[kWorkKinds] = {};    // of the last of them
};

// The events up to that number. How many may be queued changes, so a call may pass several, or
// none that was not passed before. The caller holds the lock.
Passed Pass(StreamMark& mark, unsigned number) {
  Passed passed;
  const unsigned kept = mark.recorded > kRing ? mark.recorded - kRing : 0;
  for (unsigned at = std::max({mark.fresh, mark.passed, kept}); at <= number; ++at) {
    ++passed.batches;
    for (int work = 0; work < kWorkKinds; ++work)
      passed.launches[work] += passed.newest[work] = mark.sizes[at % kRing][work];
  }
  mark.passed = std::max(mark.passed, number + 1);
  return passed;
}

// Aims at two to four milliseconds of work between two events. `spent` is how long it took what
// has passed to leave the GPU. Only if both ends of it were waited for is this the GPU's own pace:
// events that are done already, as after a pause of this thread, come in quick succession. If the
// GPU was behind, not the program at rest, a batch shrinks at once to what would have taken two, of
// either kind: the stream may hold both.
void AdaptBatch(StreamMark& mark, const Passed& passed, const Waited& waited) {
  const std::uint64_t now = GateNow();
  const std::uint64_t before = mark.boundary_ns.exchange(now);
  const std::uint64_t spent = now > before ? now - before : 1;
  mark.spent_ns = std::max<std::uint64_t>(spent / passed.batches, 1);
  const bool is_behind = waited.at_all && waited.ns >= spent / 2;
  const bool is_pace = is_behind && mark.boundary_was_waited_for;
  mark.boundary_was_waited_for = waited.at_all;
  for (int work = 0; work < kWorkKinds; ++work) {
    std::atomic<unsigned>& batch = mark.pace[work].batch;
    const std::uint64_t old = batch.load(), size = passed.launches[work];
    const std::uint64_t wanted = size * kAimNs / spent;
    const std::uint64_t most = (is_pace ? 8UL : 2UL) * passed.newest[work];
    if (mark.spent_ns > kLongNs && is_behind)
      batch.store(Clamped(size * kShortNs / spent, old));
    else if (is_pace && size != 0 && old > 2 * wanted)
      batch.store(Clamped(wanted, old));
    else if (mark.spent_ns < kShortNs)
      batch.store(Clamped(std::max(old, std::min(wanted, most)), kMaxBatch));
  }
}

// The next launch finds it without a search. What is on no GPU of the slice is not counted.
StreamMark* Remember(Process& process, StreamMark& mark) {
  if (mark.gpu < 0) return nullptr;
  process.last_mark.store(&mark, std::memory_order_release);
  return &mark;
}

// How many batches may be queued.
unsigned Depth(const StreamMark& mark, Work work) {
  const unsigned batch = mark.pace[work].batch.load();
  if (batch == 1 && mark.spent_ns > 8 * kMs) return kLongDepth;
  const bool leaves_soon = Self().region->gpu[mark.gpu].brief.load() != 0 || mark.spent_ns == 0;
  return std::min(leaves_soon ? kLeaseDepth : kOpenDepth, kMaxQueued / batch);
}

// Who waits here has more to launch, so the slice is not idle.
Waited WaitForEvent(Handle event, int gpu) {
  const std::uint64_t began = GateNow();
  bool at_all = false;
  Streams* const streams = Self().streams.load();
  const timespec pause{0, kAskAgainNs};
  streams->waiting[gpu].fetch_add(1);
  {
    const WaitForGpu waiting(Self());
    for (; Call(k_cuEventQuery, event) == kNotReady; at_all = true) nanosleep(&pause, nullptr);
  }
  streams->waiting[gpu].fetch_sub(1);
  return {at_all, GateNow() - began};
}

// From now on it is any other stream's place.
void Clear(StreamMark& mark) {
  mark.stream = nullptr;
  mark.recorded = mark.fresh = mark.passed = 0;
  for (Pace& pace : mark.pace) pace.since.store(0);
  mark.key.store(0);
}

}  // namespace

std::uint64_t GateNow() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void SleepOnGate(Gpu& gpu, std::uint32_t number, long limit_ns) {
  const timespec limit{0, limit_ns};
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&gpu.gate), FUTEX_WAIT, number, &limit,
          nullptr, 0);
}

// The time at the gate is no part of the batch. Who stands here wants the GPU, counted or not: the
// keeper opens for nobody else.
void WaitAtGate(Process& process, StreamMark* mark) {
  const Current current = CurrentGpu(process);
  Streams* const streams = process.streams.load();
  if (current.gpu < 0 || streams == nullptr) return;
  Gpu& gpu = process.region->gpu[current.gpu];
  streams->waiting[current.gpu].fetch_add(1);
  for (std::uint32_t number = gpu.gate.load(); Closed(gpu, number); number = gpu.gate.load()) {
    process.slot->active[current.gpu].store(1);
    SleepOnGate(gpu, number, 50 * static_cast<long>(kMs));
  }
  streams->waiting[current.gpu].fetch_sub(1);
  if (mark != nullptr) BeginAfresh(*mark);
}

StreamMark* EnterStream(Process& process, Handle stream, Lane lane) {
  process.streams_made.Run([&process] { MakeStreams(process); });
  Streams* const streams = process.streams.load(std::memory_order_acquire);
  Handle context = nullptr;
  if (streams == nullptr) return nullptr;
  if (IsDefault(stream) && Call(k_cuCtxGetCurrent, &context) != kOk) return nullptr;
  const std::uint64_t own = IsThreadsOwn(stream, lane) ? ThisThread() : 0;
  const std::uint64_t key = MarkKey(stream, context, lane) ^ own;
  unsigned at = static_cast<unsigned>(key * 0x9e3779b97f4a7c15ULL >> 56) % kMaxStreams;
  for (int probes = 0; probes < 16; ++probes, at = (at + 1) % kMaxStreams) {
    StreamMark& mark = streams->marks[at];
    if (mark.key.load(std::memory_order_acquire) == key) return Remember(process, mark);
    Locked hold(mark.lock);
    if (mark.key.load() == key) return Remember(process, mark);
    if (mark.key.load() != 0) continue;
    mark.lane = lane;
    Fill(mark, process, stream);
    if (mark.gpu < 0) return nullptr;
    mark.key.store(key, std::memory_order_release);
    StartDrain(process);
    return Remember(process, mark);
  }
  return nullptr;
}

void BeginAfresh(StreamMark& mark) {
  Locked hold(mark.lock);
  mark.fresh = mark.recorded;
  mark.boundary_ns.store(GateNow());
  mark.boundary_was_waited_for = false;
}

void EndIdle(Process& process, StreamMark& mark) {
  mark.idle.store(0);
  BeginAfresh(mark);
  process.slot->launches[mark.gpu].fetch_add(1);
  process.slot->active[mark.gpu].store(1);
}

bool RecordBehind(StreamMark& mark) {
  const Entry record = mark.lane == Lane::kPerThread ? k_cuEventRecord_ptsz : k_cuEventRecord;
  if (Capturing(mark)) return false;
  const unsigned at = mark.recorded % kRing;
  for (int work = 0; work < kWorkKinds; ++work)
    mark.sizes[at][work] = mark.pace[work].since.exchange(0);
  if (Call(record, mark.events[at], mark.stream) == kOk) mark.recorded++;
  return true;
}

void RecordTail(StreamMark& mark) {
  const Entry record = mark.lane == Lane::kPerThread ? k_cuEventRecord_ptsz : k_cuEventRecord;
  if (!Capturing(mark)) Call(record, mark.tail, mark.stream);
}

bool TailDone(const StreamMark& mark) {
  return mark.tail == nullptr || Call(k_cuEventQuery, mark.tail) != kNotReady;
}

bool HasUnmarked(const StreamMark& mark) {
  return mark.pace[kKernel].since.load() != 0 || mark.pace[kGraph].since.load() != 0;
}

bool LastEventDone(const StreamMark& mark) {
  return mark.recorded == 0 ||
         Call(k_cuEventQuery, mark.events[(mark.recorded - 1) % kRing]) != kNotReady;
}

// Records an event and waits for an earlier one, so that only a few batches are queued. The batch
// is adapted only once the GPU's pace shows: not by events of before a pause, nor while a capture
// runs nothing.
void MarkProgress(StreamMark& mark, Work work) {
  int mode = kCaptureRelaxed;
  Call(k_cuThreadExchangeStreamCaptureMode, &mode);
  Handle wait_for = nullptr;
  Passed passed;
  {
    Locked hold(mark.lock);
    const unsigned depth = Depth(mark, work);
    if (RecordBehind(mark) && mark.recorded >= depth) {
      const unsigned number = mark.recorded - depth;
      passed = Pass(mark, number);
      wait_for = mark.events[number % kRing];
    }
  }
  if (wait_for != nullptr) {
    const Waited waited = WaitForEvent(wait_for, mark.gpu);
    if (passed.batches != 0) AdaptBatch(mark, passed, waited);
  }
  Call(k_cuThreadExchangeStreamCaptureMode, &mode);
}

void ForgetStream(Process& process, Handle stream) {
  Streams* const streams = process.streams.load(std::memory_order_acquire);
  if (streams == nullptr) return;
  for (StreamMark& mark : streams->marks) {
    if (mark.key.load() == 0) continue;
    Locked hold(mark.lock);
    if (mark.key.load() != 0 && mark.stream == stream) Clear(mark);
  }
}

void ForgetContext(Process& process, Handle context) {
  Streams* const streams = process.streams.load(std::memory_order_acquire);
  if (streams == nullptr) return;
  for (StreamMark& mark : streams->marks) {
    Locked hold(mark.lock);
    if (mark.context != context) continue;
    Clear(mark);
    mark.context = nullptr;  // and with it its events
  }
}

}  // namespace yard::slice::cuda
