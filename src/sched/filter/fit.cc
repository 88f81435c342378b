#include "sched/filter/fit.h"

#include <algorithm>
#include <numeric>

namespace yard::sched {

FitGap RestGap(const NodeTable& nodes, NodeIndex node, const TaskShape& shape) {
  const NodeFree& free = nodes.At(node);
  if (free.cpu < shape.cpu.value) return {Cause::kCpu, free.cpu, shape.cpu.value};
  if (free.memory < shape.memory.value) return {Cause::kMemory, free.memory, shape.memory.value};
  for (const ExtendedAmount& need : shape.extended) {
    const auto has = nodes.Extended(node)[static_cast<std::size_t>(need.resource.value)];
    if (has < need.amount) return {Cause::kExtended, has, need.amount};
  }
  return {};
}

std::int32_t RoomyGpus(const NodeTable& nodes, NodeIndex node, std::int16_t each) {
  if (each == kWholeGpu) return nodes.At(node).idle;
  return static_cast<std::int32_t>(
      std::ranges::count_if(nodes.Gpus(node), [&](std::int16_t free) { return free >= each; }));
}

FitGap NodeGap(const NodeTable& nodes, NodeIndex node, const Snapshot& snapshot, ShapeIndex index) {
  const NodeFree& free = nodes.At(node);
  if (!free.in_service) return {Cause::kNoNodes, 0, 1};
  const TaskShape& shape = snapshot.shapes[static_cast<std::size_t>(index.value)];
  const ShapeFit& fit = nodes.Fit(index, free.node_class);
  if (fit.cause != Cause::kNone) return {fit.cause, 0, 1};
  if (shape.gpu_count > 0) {
    const std::int32_t roomy = RoomyGpus(nodes, node, fit.each);
    if (roomy < shape.gpu_count) {
      const auto gpus = nodes.Gpus(node);
      const std::int64_t sum = std::accumulate(gpus.begin(), gpus.end(), std::int64_t{0});
      const std::int64_t need = std::int64_t{fit.each} * shape.gpu_count;
      return {sum >= need ? Cause::kFragmented : Cause::kGpus, sum, need};
    }
  }
  return RestGap(nodes, node, shape);
}

}  // namespace yard::sched
