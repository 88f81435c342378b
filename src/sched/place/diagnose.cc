#include "sched/place/diagnose.h"

#include <algorithm>

namespace yard::sched {
namespace {

struct Suitable {
  std::int32_t nodes = 0;
  std::int64_t free_milli = 0;
  std::int64_t elsewhere_milli = 0;  // free on nodes that do not suit
  Cause closest = Cause::kNoNodes;   // of the unsuitable: the one that passed most tests
};

Suitable SumUp(const Core& core, ShapeIndex shape, PoolIndex pool) {
  Suitable sum;
  for (ClassIndex c : core.nodes().ClassesOf(pool)) {
    const NodeClass& node_class = core.nodes().Class(c);
    if (node_class.in_service == 0) continue;
    const Cause cause = core.nodes().Fit(shape, c).cause;
    if (cause != Cause::kNone) {
      sum.closest = std::max(sum.closest, cause);
      sum.elsewhere_milli += node_class.free_milli;
      continue;
    }
    sum.nodes += node_class.in_service;
    sum.free_milli += node_class.free_milli;
  }
  return sum;
}

Resource ResourceOf(Cause cause) {
  switch (cause) {
    case Cause::kCpu:
      return Resource::kCpu;
    case Cause::kMemory:
      return Resource::kMemory;
    case Cause::kExtended:
    case Cause::kGang:
      return Resource::kCount;
    default:
      return Resource::kGpu;
  }
}

// GPUs that all tasks like the failed one ask for.
std::int64_t NeedOf(const Core& core, const Spec& spec, PoolIndex pool, ShapeIndex shape) {
  std::int64_t need = 0;
  for (const TaskGroup& group : spec.groups) {
    if (group.shape != shape) continue;
    need += CostOf(core.ShapeAt(shape), group.count, core.nodes().SmallestGpu(pool)).gpu.value;
  }
  return need;
}

std::int64_t TotalTasks(const Spec& spec) {
  std::int64_t sum = 0;
  for (const TaskGroup& group : spec.groups) sum += group.count;
  return sum;
}

// The most that one node in service has.
struct Largest {
  std::int64_t gpus = 0;
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::int64_t gpu_memory = 0;
};

Largest LargestOf(const Core& core, PoolIndex pool) {
  Largest most;
  for (ClassIndex c : core.nodes().ClassesOf(pool)) {
    const NodeClass& node_class = core.nodes().Class(c);
    if (node_class.in_service == 0) continue;
    most.gpus = std::max<std::int64_t>(most.gpus, node_class.gpu_count);
    most.cpu = std::max(most.cpu, node_class.max_cpu);
    most.memory = std::max(most.memory, node_class.max_memory);
    if (node_class.model == kNone<ModelIndex>) continue;
    const auto model = static_cast<std::size_t>(node_class.model.value);
    most.gpu_memory = std::max(most.gpu_memory, core.snapshot().models[model].memory.value);
  }
  return most;
}

}  // namespace

std::vector<Reason> TooLarge(const Core& core, ShapeIndex index, PoolIndex pool) {
  const TaskShape& shape = core.ShapeAt(index);
  const Largest most = LargestOf(core, pool);
  std::vector<Reason> all;
  auto lacks = [&](Resource resource, std::int64_t has, std::int64_t needs) {
    if (has >= needs) return;
    all.push_back({.cause = Cause::kNodeTooSmall,
                   .pool = pool,
                   .resource = resource,
                   .bound = has,
                   .requested = needs,
                   .shape = index});
  };
  lacks(Resource::kGpu, most.gpus * 1000, std::int64_t{shape.gpu_count} * 1000);
  lacks(Resource::kGpuMemory, most.gpu_memory, shape.gpu_memory_each.value);
  lacks(Resource::kCpu, most.cpu, shape.cpu.value);
  lacks(Resource::kMemory, most.memory, shape.memory.value);
  return all;
}

Reason Diagnose(const Core& core, const Spec& spec, PoolIndex pool, const Failure& failure) {
  const Suitable suitable = SumUp(core, failure.shape, pool);
  Reason reason{.cause = suitable.closest, .pool = pool, .shape = failure.shape};
  if (reason.cause == Cause::kNodeTooSmall && suitable.nodes == 0) {
    const std::vector<Reason> all = TooLarge(core, failure.shape, pool);
    if (!all.empty()) return all.front();
  }
  if (suitable.nodes == 0) return reason;
  const std::int64_t need = NeedOf(core, spec, pool, failure.shape);
  const std::int64_t tasks = TotalTasks(spec);
  if (suitable.free_milli < need) {
    reason.cause = Cause::kGpus;
    reason.bound = suitable.free_milli;
    reason.allocated = suitable.elsewhere_milli;
    reason.requested = need;
  } else if (failure.gap.cause != Cause::kNone) {
    reason.cause = failure.gap.cause;
    reason.bound = failure.gap.has;
    reason.requested = failure.gap.needs;
  } else if (failure.placed > 0) {
    reason.cause = Cause::kGang;
    reason.bound = failure.placed;
    reason.requested = tasks;
  } else {
    reason.cause = Cause::kFragmented;
    reason.bound = suitable.free_milli;
    reason.requested = need;
  }
  reason.resource = ResourceOf(reason.cause);
  return reason;
}

}  // namespace yard::sched
