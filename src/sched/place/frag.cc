#include "sched/place/frag.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace yard::sched {
namespace {

std::int64_t Copies(const NodeShape& node, const TaskShape& shape) {
  if (!shape.Allows(node.model)) return 0;
  std::int64_t slots = 0;
  for (int i = 0; i < node.gpu_count; ++i) slots += node.gpu_milli[i] / shape.gpu_milli;
  std::int64_t copies = slots / shape.gpu_count;
  if (shape.cpu_milli > 0) copies = std::min(copies, node.cpu_milli / shape.cpu_milli);
  if (shape.memory_mib > 0) copies = std::min(copies, node.memory_mib / shape.memory_mib);
  return copies;
}

// The `count` fullest GPUs that still have `milli` free; fewer bits if there are not enough.
std::uint64_t TightestGpus(const NodeShape& node, int count, std::int16_t milli) {
  std::uint64_t chosen = 0;
  for (int picked = 0; picked < count; ++picked) {
    int best = -1;
    for (int i = 0; i < node.gpu_count; ++i) {
      if (((chosen >> i) & 1U) != 0 || node.gpu_milli[i] < milli) continue;
      if (best < 0 || node.gpu_milli[i] < node.gpu_milli[best]) best = i;
    }
    if (best < 0) return chosen;
    chosen |= std::uint64_t{1} << best;
  }
  return chosen;
}

std::int64_t LossOf(const Outlook& outlook, const NodeShape& node, const TaskShape& task,
                    std::uint64_t gpus) {
  NodeShape after = node;
  Take(after, task, gpus);
  return outlook.Usable(node) - outlook.Usable(after);
}

// One GPU of each distinct amount of free milli is enough: the others are the same choice.
Spot BestSingleGpu(const Outlook& outlook, const NodeShape& node, const TaskShape& task) {
  Spot best{0, std::numeric_limits<std::int64_t>::max()};
  for (int i = 0; i < node.gpu_count; ++i) {
    if (node.gpu_milli[i] < task.gpu_milli) continue;
    const auto* begin = node.gpu_milli.data();
    if (std::find(begin, begin + i, node.gpu_milli[i]) != begin + i) continue;
    const std::uint64_t gpu = std::uint64_t{1} << i;
    const std::int64_t loss = LossOf(outlook, node, task, gpu);
    if (loss < best.loss) best = {gpu, loss};
  }
  return best;
}

}  // namespace

std::int64_t NodeShape::FreeMilli() const {
  std::int64_t sum = 0;
  for (int i = 0; i < gpu_count; ++i) sum += gpu_milli[i];
  return sum;
}

ShapeMix TypicalShapes(std::span<const WeightedShape> seen, int cover_percent) {
  std::map<TaskShape, std::int64_t> merged;
  std::int64_t total = 0;
  for (const WeightedShape& entry : seen) {
    merged[entry.shape] += entry.weight;
    total += entry.weight;
  }
  ShapeMix mix;
  for (const auto& [shape, weight] : merged) mix.push_back({shape, weight});
  std::ranges::stable_sort(mix, std::greater<>{}, &WeightedShape::weight);
  std::int64_t covered = 0;
  std::size_t kept = 0;
  while (kept < mix.size() && covered * 100 < total * cover_percent) covered += mix[kept++].weight;
  mix.resize(kept);
  return mix;
}

bool Fits(const NodeShape& node, const TaskShape& task) {
  if (node.cpu_milli < task.cpu_milli || node.memory_mib < task.memory_mib) return false;
  if (task.gpu_count == 0) return true;
  if (!task.Allows(node.model)) return false;
  const auto* gpus = node.gpu_milli.data();
  return std::count_if(gpus, gpus + node.gpu_count, [&](std::int16_t milli) {
           return milli >= task.gpu_milli;
         }) >= task.gpu_count;
}

void Take(NodeShape& node, const TaskShape& task, std::uint64_t gpus) {
  node.cpu_milli -= task.cpu_milli;
  node.memory_mib -= task.memory_mib;
  for (; gpus != 0; gpus &= gpus - 1) {
    std::int16_t& milli = node.gpu_milli[std::countr_zero(gpus)];
    milli = static_cast<std::int16_t>(milli - task.gpu_milli);
  }
}

void GiveBack(NodeShape& node, const TaskShape& task, std::uint64_t gpus) {
  node.cpu_milli += task.cpu_milli;
  node.memory_mib += task.memory_mib;
  for (; gpus != 0; gpus &= gpus - 1) {
    std::int16_t& milli = node.gpu_milli[std::countr_zero(gpus)];
    milli = static_cast<std::int16_t>(milli + task.gpu_milli);
  }
}

Outlook::Outlook(const ShapeMix& mix) {
  std::ranges::copy_if(mix, std::back_inserter(mix_),
                       [](const WeightedShape& entry) { return entry.shape.gpu_count > 0; });
}

std::int64_t Outlook::Usable(const NodeShape& node) const {
  std::int64_t sum = 0;
  for (const auto& [shape, weight] : mix_) {
    sum += weight * Copies(node, shape) * shape.TotalMilli();
  }
  return sum;
}

std::optional<Spot> BestSpot(const Outlook& outlook, const NodeShape& node, const TaskShape& task) {
  if (!Fits(node, task)) return std::nullopt;
  if (task.gpu_count == 1 && task.gpu_milli < kWholeGpuMilli) {
    return BestSingleGpu(outlook, node, task);
  }
  const std::uint64_t gpus = TightestGpus(node, task.gpu_count, task.gpu_milli);
  return Spot{gpus, LossOf(outlook, node, task, gpus)};
}

}  // namespace yard::sched
