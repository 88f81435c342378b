#include "slice/shim/gate.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "slice/shim/cuda_real.h"
#include "slice/shim/device.h"

namespace yard::slice::cuda {
namespace {

constexpr std::uint64_t kMs = 1'000'000;
constexpr unsigned kEventFlags = 3;  // blocking wait, no timing
constexpr int kCaptureRelaxed = 2;
constexpr unsigned kMaxBatch = 1024;

void MakeStreams(Process& process) {
  void* const memory =
      mmap(nullptr, sizeof(Streams), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  process.streams.store(static_cast<Streams*>(memory), std::memory_order_release);
}

std::uint64_t MarkKey(Handle stream, Handle context, Lane lane) {
  return (reinterpret_cast<std::uint64_t>(stream) * 3 ^ reinterpret_cast<std::uint64_t>(context)) |
         (lane == Lane::kPerThread ? 1ULL << 63 : 1ULL << 62);
}

void Fill(StreamMark& mark, Process& process, Handle stream, Handle context) {
  Device device = 0;
  mark.stream = stream;
  mark.context = context;
  mark.gpu = CurrentDevice(&device) ? GpuOfDevice(process, device) : -1;
  mark.recorded = 0;
  mark.boundary_ns = GateNow();
  mark.spent_ns = 0;
  mark.since.store(0);
  mark.batch.store(1);
  int mode = kCaptureRelaxed;
  Call(k_cuThreadExchangeStreamCaptureMode, &mode);
  for (Handle& event : mark.events)
    if (event == nullptr) Call(k_cuEventCreate, &event, kEventFlags);
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

// Aims at one to four milliseconds of work between two events.
void AdaptBatch(StreamMark& mark, std::uint64_t now) {
  const std::uint64_t spent = now - mark.boundary_ns;
  const unsigned batch = mark.batch.load();
  mark.boundary_ns = now;
  mark.spent_ns = spent;
  if (spent < kMs && batch < kMaxBatch) mark.batch.store(batch * 2);
  if (spent > 4 * kMs && batch > 1) mark.batch.store(batch / 2);
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

void WaitAtGate(Process& process) {
  const Current current = CurrentGpu(process);
  if (current.gpu < 0) return;
  Gpu& gpu = process.region->gpu[current.gpu];
  Streams* const streams = process.streams.load();
  streams->waiting.fetch_add(1);
  for (std::uint32_t number = gpu.gate.load(); Closed(gpu, number); number = gpu.gate.load())
    SleepOnGate(gpu, number, 50 * static_cast<long>(kMs));
  streams->waiting.fetch_sub(1);
}

StreamMark* EnterStream(Process& process, Handle stream, Lane lane) {
  process.streams_made.Run([&process] { MakeStreams(process); });
  Streams* const streams = process.streams.load(std::memory_order_acquire);
  Handle context = nullptr;
  if (streams == nullptr || Call(k_cuCtxGetCurrent, &context) != kOk) return nullptr;
  const std::uint64_t key = MarkKey(stream, context, lane);
  unsigned at = static_cast<unsigned>(key * 0x9e3779b97f4a7c15ULL >> 56) % kMaxStreams;
  for (int probes = 0; probes < 16; ++probes, at = (at + 1) % kMaxStreams) {
    StreamMark& mark = streams->marks[at];
    if (mark.key.load(std::memory_order_acquire) != key) {
      Locked hold(mark.lock);
      if (mark.key.load() != 0) continue;
      mark.lane = lane;
      Fill(mark, process, stream, context);
      mark.key.store(key, std::memory_order_release);
      StartDrain(process);
    }
    if (mark.gpu < 0) return nullptr;
    process.slot->launches[mark.gpu].fetch_add(1, std::memory_order_relaxed);
    process.slot->active[mark.gpu].store(1, std::memory_order_relaxed);
    return &mark;
  }
  return nullptr;
}

void RecordBehind(StreamMark& mark) {
  const Entry record = mark.lane == Lane::kPerThread ? k_cuEventRecord_ptsz : k_cuEventRecord;
  if (Capturing(mark)) return;
  mark.since.store(0);
  if (Call(record, mark.events[mark.recorded % kRing], mark.stream) == kOk) mark.recorded++;
}

bool LastEventDone(const StreamMark& mark) {
  return mark.recorded == 0 ||
         Call(k_cuEventQuery, mark.events[(mark.recorded - 1) % kRing]) != kNotReady;
}

// Records an event and waits for an earlier one, so that at most three batches are queued, or two
// when a single launch takes long.
void MarkProgress(Process&, StreamMark& mark) {
  int mode = kCaptureRelaxed;
  Call(k_cuThreadExchangeStreamCaptureMode, &mode);
  Handle wait_for = nullptr;
  {
    Locked hold(mark.lock);
    RecordBehind(mark);
    const unsigned behind = mark.batch.load() == 1 && mark.spent_ns > 8 * kMs ? 2 : 3;
    if (mark.recorded >= behind) wait_for = mark.events[(mark.recorded - behind) % kRing];
  }
  if (wait_for != nullptr) Call(k_cuEventSynchronize, wait_for);
  AdaptBatch(mark, GateNow());
  Call(k_cuThreadExchangeStreamCaptureMode, &mode);
}

void ForgetStream(Process& process, Handle stream) {
  Streams* const streams = process.streams.load(std::memory_order_acquire);
  if (streams == nullptr) return;
  for (StreamMark& mark : streams->marks) {
    if (mark.key.load() == 0 || mark.stream != stream) continue;
    Locked hold(mark.lock);
    mark.stream = nullptr;
    mark.recorded = 0;
    mark.since.store(0);
    mark.key.store(0);
  }
}

}  // namespace yard::slice::cuda
