#include "sched/filter/suit.h"

#include <algorithm>

namespace yard::sched {
namespace {

bool HasLabels(const TaskShape& shape, const NodeClass& c) {
  return std::ranges::all_of(shape.labels, [&](const std::vector<LabelIndex>& any) {
    return std::ranges::any_of(
        any, [&](LabelIndex label) { return std::ranges::binary_search(c.labels, label); });
  });
}

bool ToleratesAll(const TaskShape& shape, const NodeClass& c) {
  return std::ranges::includes(shape.tolerations, c.taints);
}

bool LargeEnough(const TaskShape& shape, const NodeClass& c) {
  if (shape.cpu.value > c.max_cpu || shape.memory.value > c.max_memory) return false;
  return std::ranges::all_of(shape.extended, [&](const ExtendedAmount& need) {
    return need.amount <= c.max_extended[static_cast<std::size_t>(need.resource.value)];
  });
}

}  // namespace

std::int64_t PortionOf(Mebibytes wanted, Mebibytes gpu_memory) {
  if (gpu_memory.value <= 0) return kWholeGpu + 1;
  return (wanted.value * kWholeGpu + gpu_memory.value - 1) / gpu_memory.value;
}

ShapeFit Suits(const Snapshot& snapshot, const TaskShape& shape, const NodeClass& c) {
  if (shape.gpu_count > 0 && !shape.models.empty() &&
      std::ranges::find(shape.models, c.model) == shape.models.end()) {
    return {Cause::kModel, 0};
  }
  if (!HasLabels(shape, c)) return {Cause::kLabels, 0};
  if (!ToleratesAll(shape, c)) return {Cause::kTaints, 0};
  if (!LargeEnough(shape, c) || shape.gpu_count > c.gpu_count) return {Cause::kNodeTooSmall, 0};
  if (shape.gpu_count == 0) return {};
  std::int64_t each = shape.gpu_each.value;
  if (shape.gpu_memory_each.value > 0) {
    const Mebibytes memory = c.model == kNone<ModelIndex>
                                 ? Mebibytes(0)
                                 : snapshot.models[static_cast<std::size_t>(c.model.value)].memory;
    each = PortionOf(shape.gpu_memory_each, memory);
  }
  if (each > kWholeGpu) return {Cause::kNodeTooSmall, 0};
  return {Cause::kNone, static_cast<std::int16_t>(each)};
}

}  // namespace yard::sched
