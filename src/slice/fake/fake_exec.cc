// Devices, contexts, streams, kernels and graphs of the fake driver. FOR TESTS ONLY.
//
// A kernel is a number of microseconds: the function handle, minus one. All processes share one
// engine that runs launches in the order they were made, on the real clock.
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "slice/fake/fake_state.h"

namespace yard::slice::fake {

void SynchronisePools();

bool Usable() {
  return Get().initialised && Get().pid == getpid();
}

FakeStream& StreamOf(void* stream) {
  State& state = Get();
  const auto found = state.streams.find(stream);
  return found == state.streams.end() ? state.default_stream : *found->second;
}

namespace {

void SleepUntil(std::uint64_t when_ns) {
  const timespec until{static_cast<time_t>(when_ns / 1'000'000'000),
                       static_cast<long>(when_ns % 1'000'000'000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

std::uint64_t Enqueue(std::uint64_t after_ns, std::uint64_t length_ns) {
  auto& busy = Shared().busy_until_ns;
  std::uint64_t seen = busy, end = 0;
  do {
    end = std::max({seen, after_ns, NowNs()}) + length_ns;
  } while (!busy.compare_exchange_weak(seen, end));
  return end;
}

// Puts work of that length at the end of a stream, or into the graph being captured there.
int Queue(std::uint64_t length, void* stream_handle) {
  State& state = Get();
  std::uint64_t wait_until = 0;
  {
    std::lock_guard hold(state.mutex);
    if (!Usable()) return kNotInitialized;
    FakeStream& stream = StreamOf(stream_handle);
    if (stream.capturing) {
      stream.captured_ns += length;
      return kOk;
    }
    stream.tail_ns = Enqueue(stream.tail_ns, length);
    Own().done++;
    // A real queue is finite too: this launch takes the place of the one so many before it.
    std::uint64_t& place = stream.ends_ns[stream.launches++ % kQueue];
    if (place > NowNs()) wait_until = place;
    place = stream.tail_ns;
  }
  if (wait_until != 0) SleepUntil(wait_until);
  return kOk;
}

// With YARD_FAKE_CODE=N the first launch takes N bytes for code, as a lazy driver does.
bool TakeCode(State& state) {
  const char* const said = Said("YARD_FAKE_CODE");
  const bool loads = said != nullptr && !state.code_loaded;
  state.code_loaded = true;
  return !loads || Take(std::strtoull(said, nullptr, 10));
}

int Run(void* function, void* stream) {
  {
    State& state = Get();
    std::lock_guard hold(state.mutex);
    if (!TakeCode(state)) return kOutOfMemory;
    if (!TakeLocal(state, function)) return kOutOfMemory;
    if (state.functions.contains(function)) return kOk;  // it does nothing
  }
  return Queue((reinterpret_cast<std::uint64_t>(function) - 1) * 1000, stream);
}

int TakeGraphMemory(FakeExec& exec) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (exec.launched) return kOk;
  if (!Take(exec.bytes)) return kOutOfMemory;
  state.graph_reserved += exec.bytes;
  exec.launched = true;
  return kOk;
}

int MakeContext(void** out) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (!Usable()) return kNotInitialized;
  if (!Take(kContextBytes)) return kOutOfMemory;
  *out = NewHandle();
  state.contexts.insert(*out);
  state.current = *out;
  return kOk;
}

struct FakeEvent {
  std::uint64_t done_ns = 0;
};

}  // namespace

FAKE_API cuInit(unsigned) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (state.initialised && state.pid != getpid()) return kNotInitialized;
  state.initialised = true;
  state.pid = getpid();
  return kOk;
}
FAKE_API cuDriverGetVersion(int* version) {
  *version = 13000;
  return kOk;
}
FAKE_API cuDeviceGetCount(int* count) {
  *count = 1;
  return Usable() ? kOk : kNotInitialized;
}
FAKE_API cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? kOk : 101;
}
FAKE_API cuDeviceGetName(char* out, int length, int) {
  std::snprintf(out, static_cast<std::size_t>(length), "%s", kName);
  return kOk;
}
FAKE_API cuDeviceGetUuid(void* out, int) {
  std::memcpy(out, kUuid, sizeof(kUuid));
  return kOk;
}
FAKE_API cuDeviceGetUuid_v2(void* out, int) {
  std::memcpy(out, kUuid, sizeof(kUuid));
  return kOk;
}
FAKE_API cuDevicePrimaryCtxRetain(void** out, int device) {
  State& state = Get();
  if (device != 0) return 101;
  std::lock_guard hold(state.mutex);
  if (!Usable()) return kNotInitialized;
  if (state.primary == 0 && !Take(kContextBytes)) return kOutOfMemory;
  state.primary++;
  *out = &state.primary;
  return kOk;
}
FAKE_API cuDevicePrimaryCtxRelease_v2(int) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (state.primary == 0) return 201;
  if (--state.primary > 0) return kOk;
  Give(kContextBytes);
  DropContext(state, &state.primary);
  if (state.current == &state.primary) state.current = nullptr;
  return kOk;
}
// The context itself is made again at once: that it is away in between is of no interest here.
FAKE_API cuDevicePrimaryCtxReset_v2(int) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  DropContext(state, &state.primary);
  return kOk;
}
FAKE_API cuCtxCreate_v2(void** out, unsigned, int) {
  return MakeContext(out);
}
FAKE_API cuCtxCreate_v3(void** out, void*, int, unsigned, int) {
  return MakeContext(out);
}
FAKE_API cuCtxCreate_v4(void** out, void*, unsigned, int) {
  return MakeContext(out);
}
FAKE_API cuCtxDestroy_v2(void* context) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  if (state.contexts.erase(context) == 0) return 201;
  Give(kContextBytes);
  DropContext(state, context);
  if (state.current == context) state.current = nullptr;
  return kOk;
}
FAKE_API cuCtxSetCurrent(void* context) {
  if (Usable()) Get().current = context;  // one current context for all threads will do here
  return Usable() ? kOk : kNotInitialized;
}
FAKE_API cuCtxGetCurrent(void** context) {
  *context = Get().current;
  return Usable() ? kOk : kNotInitialized;
}
FAKE_API cuCtxGetDevice(int* device) {
  *device = 0;
  if (!Usable()) return kNotInitialized;
  return Get().current == nullptr ? 201 : kOk;
}
FAKE_API cuStreamCreate(void** out, unsigned) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  *out = NewHandle();
  state.streams[*out] = new FakeStream;
  return kOk;
}
FAKE_API cuStreamDestroy_v2(void* stream) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  const auto found = state.streams.find(stream);
  if (found == state.streams.end()) return 400;
  delete found->second;
  state.streams.erase(found);
  return kOk;
}
FAKE_API cuStreamSynchronize(void* stream) {
  std::uint64_t until = 0;
  {
    std::lock_guard hold(Get().mutex);
    until = StreamOf(stream).tail_ns;
  }
  SleepUntil(until);
  SynchronisePools();
  return kOk;
}
FAKE_API cuCtxSynchronize() {
  return cuStreamSynchronize(nullptr);
}
FAKE_API cuStreamIsCapturing(void* stream, int* status) {
  std::lock_guard hold(Get().mutex);
  *status = StreamOf(stream).capturing ? 1 : 0;
  return kOk;
}
FAKE_API cuStreamIsCapturing_ptsz(void* stream, int* status) {
  return cuStreamIsCapturing(stream, status);
}
FAKE_API cuThreadExchangeStreamCaptureMode(int* mode) {
  *mode = 0;
  return kOk;
}
FAKE_API cuStreamBeginCapture_v2(void* stream, int) {
  std::lock_guard hold(Get().mutex);
  StreamOf(stream).capturing = true;
  StreamOf(stream).captured_bytes = StreamOf(stream).captured_ns = 0;
  return kOk;
}
FAKE_API cuStreamEndCapture(void* stream, void** graph) {
  std::lock_guard hold(Get().mutex);
  StreamOf(stream).capturing = false;
  *graph = new FakeGraph{StreamOf(stream).captured_bytes, StreamOf(stream).captured_ns};
  return kOk;
}
FAKE_API cuEventCreate(void** event, unsigned) {
  *event = new FakeEvent;
  return kOk;
}
FAKE_API cuEventRecord(void* event, void* stream) {
  std::lock_guard hold(Get().mutex);
  if (StreamOf(stream).capturing) return 900;
  static_cast<FakeEvent*>(event)->done_ns = StreamOf(stream).tail_ns;
  return kOk;
}
FAKE_API cuEventRecord_ptsz(void* event, void* stream) {
  return cuEventRecord(event, stream);
}
FAKE_API cuEventQuery(void* event) {
  return NowNs() >= static_cast<FakeEvent*>(event)->done_ns ? kOk : kNotReady;
}
FAKE_API cuEventSynchronize(void* event) {
  SleepUntil(static_cast<FakeEvent*>(event)->done_ns);
  return kOk;
}
FAKE_API cuLaunchKernel(void* f, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, void* stream, void**, void**) {
  return Run(f, stream);
}
FAKE_API cuLaunchKernel_ptsz(void* f, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, void* stream, void**, void**) {
  return Run(f, stream);
}
FAKE_API cuLaunchKernelEx(const LaunchConfig* config, void* f, void**, void**) {
  return Run(f, config->stream);
}
FAKE_API cuLaunchKernelEx_ptsz(const LaunchConfig* config, void* f, void**, void**) {
  return Run(f, config->stream);
}
FAKE_API cuLaunchCooperativeKernel(void* f, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   unsigned, unsigned, void* stream, void**) {
  return Run(f, stream);
}
FAKE_API cuGraphCreate(void** out, unsigned) {
  *out = new FakeGraph;
  return kOk;
}
FAKE_API cuGraphAddMemAllocNode(void** node, void* graph, const void* const*, std::size_t,
                                MemAllocNode* params) {
  std::lock_guard hold(Get().mutex);
  static_cast<FakeGraph*>(graph)->bytes += Up(params->bytes, 2 << 20);
  *node = NewHandle();
  params->dptr = reinterpret_cast<DevicePtr>(*node);
  return kOk;
}
FAKE_API cuGraphAddNode_v2(void** node, void* graph, const void* const* after, const void*,
                           std::size_t count, GraphNodeParams* params) {
  if (params->type != kNodeMemAlloc) return kOk;
  return cuGraphAddMemAllocNode(node, graph, after, count, &params->alloc);
}
FAKE_API cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long) {
  const auto* const made = static_cast<FakeGraph*>(graph);
  *exec = new FakeExec{Up(made->bytes, 2 << 20), made->length_ns, false};
  return kOk;
}
FAKE_API cuGraphLaunch(void* handle, void* stream) {
  auto* const exec = static_cast<FakeExec*>(handle);
  if (const int code = TakeGraphMemory(*exec); code != kOk) return code;
  return exec->length_ns == 0 ? kOk : Queue(exec->length_ns, stream);
}
FAKE_API cuGraphLaunch_ptsz(void* exec, void* stream) {
  return cuGraphLaunch(exec, stream);
}
FAKE_API cuGraphUpload(void* exec, void*) {
  return TakeGraphMemory(*static_cast<FakeExec*>(exec));
}
FAKE_API cuGraphUpload_ptsz(void* exec, void* stream) {
  return cuGraphUpload(exec, stream);
}
FAKE_API cuGraphExecDestroy(void* handle) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  auto* const exec = static_cast<FakeExec*>(handle);
  if (exec->launched) state.graph_unused += exec->bytes;
  delete exec;
  return kOk;
}
FAKE_API cuDeviceGraphMemTrim(int) {
  State& state = Get();
  std::lock_guard hold(state.mutex);
  Give(state.graph_unused);
  state.graph_reserved -= state.graph_unused;
  state.graph_unused = 0;
  return kOk;
}
FAKE_API cuDeviceGetGraphMemAttribute(int, int, void* value) {
  std::lock_guard hold(Get().mutex);
  *static_cast<std::uint64_t*>(value) = Get().graph_reserved;
  return kOk;
}
FAKE_API cuGetExportTable(const void**, const void*) {
  return kNotFound;
}

}  // namespace yard::slice::fake
