#include "sched/reclaim/promised.h"

#include <algorithm>
#include <bit>

#include "sched/filter/admit.h"

namespace yard::sched {
namespace {

const TaskShape& ShapeOf(const Core& core, const Workload& workload, const TaskPlacement& task) {
  return core.ShapeAt(workload.groups[static_cast<std::size_t>(task.group)].shape);
}

bool InService(const Core& core, const Workload& workload) {
  return std::ranges::all_of(workload.tasks, [&](const TaskPlacement& task) {
    return core.nodes().At(task.node).in_service;
  });
}

bool TakeWhole(Decision& decision, const Workload& workload) {
  const Trial::Mark mark = decision.trial.Here();
  for (const TaskPlacement& task : workload.tasks) {
    const TaskShape& shape = ShapeOf(decision.core, workload, task);
    if (!decision.core.nodes().CanTake(shape, task)) {
      decision.trial.RollBack(mark);
      return false;
    }
    decision.trial.Take(shape, task);
  }
  return true;
}

// What its queue has on its account since the promise.
Booking BookingOf(const Core& core, const Workload& workload) {
  const Resources cost = CostOf(core.snapshot(), workload, workload.tasks);
  return BookingOf(workload, PoolOf(core.snapshot(), workload), cost);
}

void StartPromised(Decision& decision, WorkloadIndex index) {
  const Workload& workload = decision.core.At(index);
  const Booking booking = BookingOf(decision.core, workload);
  if (decision.holds) decision.holds->Started(workload, booking, workload.tasks);
  decision.plan.starts.push_back({index, booking.pool, StartKind::kNow, workload.tasks});
}

// Takes what is free of one task's place; what is missing will be left by others.
NodeShare TakeFree(Decision& decision, const TaskShape& shape, const TaskPlacement& task) {
  const NodeTable& nodes = decision.core.nodes();
  const NodeFree& free = nodes.At(task.node);
  TaskShape& part = decision.held_shapes.emplace_back();
  part.cpu = MilliCpu(std::clamp<std::int64_t>(free.cpu, 0, shape.cpu.value));
  part.memory = Mebibytes(std::clamp<std::int64_t>(free.memory, 0, shape.memory.value));
  for (const ExtendedAmount& need : shape.extended) {
    const auto has = nodes.Extended(task.node)[static_cast<std::size_t>(need.resource.value)];
    part.extended.push_back({need.resource, std::clamp<std::int64_t>(has, 0, need.amount)});
  }
  NodeShare rest{task.node, shape.cpu.value - part.cpu.value,
                 shape.memory.value - part.memory.value,
                 std::vector<std::int16_t>(nodes.Gpus(task.node).size())};
  decision.trial.Take(part, {0, task.node, 0, MilliGpu(0)});
  const TaskShape& none = decision.held_shapes.emplace_back();
  for (std::uint64_t left = task.gpus; left != 0; left &= left - 1) {
    const auto gpu = static_cast<std::size_t>(std::countr_zero(left));
    const auto each = static_cast<std::int16_t>(task.each.value);
    const std::int16_t milli = std::clamp<std::int16_t>(nodes.Gpus(task.node)[gpu], 0, each);
    rest.gpus[gpu] = static_cast<std::int16_t>(each - milli);
    if (milli > 0)
      decision.trial.Take(none, {0, task.node, std::uint64_t{1} << gpu, MilliGpu(milli)});
  }
  return rest;
}

void HoldPlace(Decision& decision, const Workload& workload) {
  std::vector<NodeShare> rest;
  for (const TaskPlacement& task : workload.tasks) {
    rest.push_back(TakeFree(decision, ShapeOf(decision.core, workload, task), task));
  }
  if (decision.holds) decision.holds->Promised(workload, std::move(rest));
}

// Of the place that a leaving workload will have, what it does not lie on now.
void HoldNext(Decision& decision, const Workload& workload) {
  if (!workload.rare->head) return;
  std::vector<TaskPlacement> own = workload.tasks;
  for (const TaskPlacement& task : workload.rare->head->tasks) {
    if (const auto at = std::ranges::find(own, task); at != own.end()) {
      own.erase(at);
    } else {
      TakeFree(decision, ShapeOf(decision.core, workload, task), task);
    }
  }
}

}  // namespace

void KeepPromises(Decision& decision) {
  const Core& core = decision.core;
  std::vector<WorkloadIndex> waiting;
  for (WorkloadIndex index : core.promised()) {
    const Workload& workload = core.At(index);
    if (!InService(core, workload) || !IsWithinQuota(core, BookingOf(core, workload))) {
      decision.plan.lapsed.push_back(index);
    } else if (TakeWhole(decision, workload)) {
      StartPromised(decision, index);
    } else {
      waiting.push_back(index);
    }
  }
  for (WorkloadIndex index : waiting) {
    if (core.IsAwaited(index)) {
      HoldPlace(decision, core.At(index));
    } else {
      decision.plan.lapsed.push_back(index);
    }
  }
  for (WorkloadIndex index : core.leaving()) HoldNext(decision, core.At(index));
}

}  // namespace yard::sched
