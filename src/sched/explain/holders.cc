#include "sched/explain/holders.h"

#include <algorithm>
#include <functional>

namespace yard::sched {
namespace {

bool IsBound(Cause cause) {
  return cause >= Cause::kOverLimit && cause <= Cause::kProjectInteractiveCap;
}

bool IsRoom(Cause cause) {
  return (cause >= Cause::kGpus && cause <= Cause::kTopology) || cause == Cause::kGuarded ||
         cause == Cause::kPreemptionOff || cause == Cause::kBackfill || cause == Cause::kBehind;
}

// Whether the running workload counts against the bound that refuses.
bool CountsFor(const Core& core, const Workload& waiting, const Workload& running,
               const Reason& reason) {
  const bool own = running.user != kNone<UserIndex> && running.user == waiting.user;
  const bool interactive = running.kind == WorkloadKind::kInteractive;
  if (reason.cause == Cause::kUserGpuCap) return own;
  if (reason.cause == Cause::kUserInteractiveCap) return own && interactive;
  const auto path = core.ledger().Path(running.queue);
  if (std::ranges::find(path, reason.queue) == path.end()) return false;
  if (reason.cause == Cause::kProjectInteractiveCap) return interactive;
  return reason.cause != Cause::kNonPreemptibleOverQuota ||
         running.preemptibility == Preemptibility::kNonPreemptible;
}

// Whether the task lies where one of the waiting workload could: in the pool of the reason, and for
// want of room on a node that suits it.
bool LiesInTheWay(const Core& core, const Workload& waiting, const TaskPlacement& task,
                  const Reason& reason) {
  const Node& node = core.snapshot().nodes[static_cast<std::size_t>(task.node.value)];
  if (node.pool != reason.pool || node.state != NodeState::kReady) return false;
  if (!IsRoom(reason.cause)) return true;
  const ClassIndex node_class = core.nodes().At(task.node).node_class;
  return std::ranges::any_of(waiting.groups, [&](const TaskGroup& group) {
    return core.nodes().Fit(group.shape, node_class).cause == Cause::kNone;
  });
}

std::int64_t AmountOf(const Core& core, const Workload& running, const TaskPlacement& task,
                      Resource resource) {
  if (resource == Resource::kCount) return 0;
  const TaskShape& shape = core.ShapeAt(running.groups[static_cast<std::size_t>(task.group)].shape);
  if (resource == Resource::kCpu) return shape.cpu.value;
  if (resource == Resource::kMemory) return shape.memory.value;
  return CostOf(core.snapshot(), running, {&task, 1}).gpu.value;
}

}  // namespace

std::vector<Holder> HoldersOf(const Core& core, WorkloadIndex index, const Reason& reason) {
  std::vector<Holder> holders;
  if (!IsBound(reason.cause) && !IsRoom(reason.cause)) return holders;
  const Workload& waiting = core.At(index);
  // Gangs that do not fit lack GPUs.
  const bool for_gpus = IsRoom(reason.cause) && reason.resource == Resource::kCount;
  const Resource unit = for_gpus ? Resource::kGpu : reason.resource;
  const bool over_pools = reason.cause == Cause::kUserGpuCap || reason.resource == Resource::kCount;
  const auto& workloads = core.snapshot().workloads;
  for (std::size_t w = 0; w < workloads.size(); ++w) {
    const Workload& running = workloads[w];
    if (running.state != WorkloadState::kRunning) continue;
    if (IsBound(reason.cause) && !CountsFor(core, waiting, running, reason)) continue;
    std::int64_t amount = IsBound(reason.cause) && reason.resource == Resource::kCount ? 1 : 0;
    for (const TaskPlacement& task : running.tasks) {
      const bool counts =
          (IsBound(reason.cause) && over_pools) || LiesInTheWay(core, waiting, task, reason);
      if (counts) amount += AmountOf(core, running, task, unit);
    }
    if (amount > 0) holders.push_back({WorkloadIndex(static_cast<std::int32_t>(w)), amount});
  }
  std::ranges::stable_sort(holders, std::greater{}, &Holder::amount);
  return holders;
}

}  // namespace yard::sched
