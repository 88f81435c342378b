#include "slice/cuda/graph.h"

#include "slice/cuda/device.h"
#include "slice/cuda/gate.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

constexpr std::uint64_t kChunk = 32ULL << 20;

using Launch = Result (*)(Handle exec, Handle stream);

template <Entry kReal>
Result LaunchFirst(Handle exec, Handle stream);
template <Entry kReal>
Result LaunchWatched(Handle exec, Handle stream);

// Where a launch goes: to the driver, or through LaunchWatched. One word and nothing else is
// looked at: the driver has used the caches since the last launch, and every line costs.
template <Entry kReal>
constinit std::atomic<Launch> g_door = &LaunchFirst<kReal>;

bool Watched() {
  return g_door<k_cuGraphLaunch>.load(std::memory_order_relaxed) == &LaunchWatched<k_cuGraphLaunch>;
}

bool HasGraphMemory(const Process& process) {
  return process.has_graph_memory.load(std::memory_order_relaxed) != 0;
}

void SettleGraphs(Process& process, const Current& current) {
  std::uint64_t reserved = 0;
  if (current.gpu < 0 || Call(k_cuDeviceGetGraphMemAttribute, current.device, kGraphReservedCurrent,
                              static_cast<void*>(&reserved)) != kOk)
    return;
  const std::uint64_t before = process.graph_charged[current.gpu].exchange(reserved);
  Settle(process, current.gpu, before, reserved);
}

std::uint64_t Key(Handle exec) {
  return reinterpret_cast<std::uint64_t>(exec);
}

// Bytes of the nodes nobody has reserved yet, and of those this graph was refused before.
std::uint64_t TakePending(Process& process, int gpu, Handle exec) {
  Charge refused;
  const bool before = process.objects.Take(Key(exec), &refused);
  return process.graph_pending[gpu].exchange(0) + (before ? refused.bytes : 0);
}

// Runs a call that may make graphs take memory.
template <class Run>
Result WithGraphMemory(Process& process, Handle exec, Run run) {
  const Current current = CurrentGpu(process);
  if (current.gpu < 0) return run();
  const std::uint64_t pending = TakePending(process, current.gpu, exec);
  // The driver takes graph memory in chunks and a launched graph cannot be undone.
  const std::uint64_t wanted = RoundUp(pending, kChunk);
  if (wanted != 0 && !ReserveOrTrim(process, current.gpu, wanted)) {
    process.objects.Put(
        {Key(exec), pending, 0, static_cast<std::int16_t>(current.gpu), Kind::kGraph});
    return kOutOfMemory;
  }
  process.graph_charged[current.gpu].fetch_add(wanted);
  const Result result = run();
  SettleGraphs(process, current);
  return result;
}

// Our copy of the size, read before the driver writes the address into the same structure.
void NoteNode(Process& process, const MemAllocNode& node) {
  if (node.pool.location.type == kLocationDevice)
    NoteGraphMemory(process, GpuOfDevice(process, node.pool.location.id), node.bytes);
}

template <Entry kReal>
Result LaunchFirst(Handle exec, Handle stream) {
  Launch here = &LaunchFirst<kReal>;
  if (Has(kReal))
    g_door<kReal>.compare_exchange_strong(here, reinterpret_cast<Launch>(RealEntry(kReal)));
  return Call(kReal, exec, stream);
}

template <Entry kReal>
Result LaunchWatched(Handle exec, Handle stream) {
  Process& process = Self();
  constexpr Lane kLane = kReal == k_cuGraphLaunch_ptsz ? Lane::kPerThread : Lane::kLegacy;
  StreamMark* const mark = PassGate(process, stream, kLane);
  const auto run = [&] { return Call(kReal, exec, stream); };
  const Result result = HasGraphMemory(process) ? WithGraphMemory(process, exec, run) : run();
  AfterLaunch(mark, kGraph);
  return result;
}

}  // namespace

void NoteGraphMemory(Process& process, int gpu, std::uint64_t bytes) {
  if (gpu < 0) return;
  process.graph_pending[gpu].fetch_add(RoundUp(bytes, kGranule));
  process.has_graph_memory.store(1);
  WatchGraphs();
}

void WatchGraphs() {
  g_door<k_cuGraphLaunch_ptsz>.store(&LaunchWatched<k_cuGraphLaunch_ptsz>);
  g_door<k_cuGraphLaunch>.store(&LaunchWatched<k_cuGraphLaunch>);
}

Result GraphAddMemAllocNode(Handle* node, Handle graph, const Handle* after, std::size_t count,
                            MemAllocNode* params) {
  const Result result = Call(k_cuGraphAddMemAllocNode, node, graph, after, count, params);
  if (result == kOk) NoteNode(Self(), *params);
  return result;
}

Result GraphAddNode(Handle* node, Handle graph, const Handle* after, std::size_t count,
                    GraphNodeParams* params) {
  const Result result = Call(k_cuGraphAddNode, node, graph, after, count, params);
  if (result == kOk && params->type == kNodeMemAlloc) NoteNode(Self(), params->alloc);
  return result;
}

Result GraphAddNodeV2(Handle* node, Handle graph, const Handle* after, const void* edges,
                      std::size_t count, GraphNodeParams* params) {
  const Result result = Call(k_cuGraphAddNode_v2, node, graph, after, edges, count, params);
  if (result == kOk && params->type == kNodeMemAlloc) NoteNode(Self(), params->alloc);
  return result;
}

template <Entry kReal>
Result GraphUpload(Handle exec, Handle stream) {
  if (!Watched()) return Call(kReal, exec, stream);
  Process& process = Self();
  if (!HasGraphMemory(process)) return Call(kReal, exec, stream);
  return WithGraphMemory(process, exec, [&] { return Call(kReal, exec, stream); });
}

template <Entry kReal>
Result GraphLaunch(Handle exec, Handle stream) {
  return g_door<kReal>.load(std::memory_order_relaxed)(exec, stream);
}

Result GraphExecDestroy(Handle exec) {
  const Result result = Call(k_cuGraphExecDestroy, exec);
  Process& process = Self();
  if (!HasGraphMemory(process)) return result;
  Charge refused;
  process.objects.Take(Key(exec), &refused);
  SettleGraphs(process, CurrentGpu(process));
  return result;
}

Result GraphMemTrim(Device device) {
  const Result result = Call(k_cuDeviceGraphMemTrim, device);
  Process& process = Self();
  SettleGraphs(process, {true, GpuOfDevice(process, device), device});
  return result;
}

template Result GraphUpload<k_cuGraphUpload>(Handle, Handle);
template Result GraphUpload<k_cuGraphUpload_ptsz>(Handle, Handle);
template Result GraphLaunch<k_cuGraphLaunch>(Handle, Handle);
template Result GraphLaunch<k_cuGraphLaunch_ptsz>(Handle, Handle);

}  // namespace yard::slice::cuda
