#include "sched/place/frag.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace yard::sched::frag {
namespace {

// The `count` fullest GPUs that still have `milli` free.
std::uint64_t TightestGpus(const NodeShape& node, int count, std::int16_t milli) {
  std::uint64_t chosen = 0;
  for (int picked = 0; picked < count; ++picked) {
    int best = -1;
    for (int i = 0; i < node.gpu_count; ++i) {
      if (((chosen >> i) & 1U) != 0 || node.gpu_milli[i] < milli) continue;
      if (best < 0 || node.gpu_milli[i] < node.gpu_milli[best]) best = i;
    }
    chosen |= std::uint64_t{1} << best;
  }
  return chosen;
}

// One GPU of each distinct amount of free milli is enough: the others are the same choice. Ties go
// to the fuller GPU.
Spot BestSingleGpu(const PlacementRule& rule, const NodeShape& node, std::int64_t worth,
                   const TaskShape& task) {
  Spot best{0, std::numeric_limits<std::int64_t>::max()};
  std::int16_t best_milli = kWholeGpuMilli + 1;
  const auto* begin = node.gpu_milli.data();
  for (int i = 0; i < node.gpu_count; ++i) {
    if (node.gpu_milli[i] < task.gpu_milli) continue;
    if (std::find(begin, begin + i, node.gpu_milli[i]) != begin + i) continue;
    const std::uint64_t gpu = std::uint64_t{1} << i;
    const std::int64_t loss = rule.Loss(node, worth, task, gpu);
    const bool fuller = loss == best.loss && node.gpu_milli[i] < best_milli;
    if (loss > best.loss || (loss == best.loss && !fuller)) continue;
    best = {gpu, loss};
    best_milli = node.gpu_milli[i];
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
  std::ranges::sort(mix, [](const WeightedShape& a, const WeightedShape& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.shape < b.shape;
  });
  std::int64_t covered = 0;
  std::size_t kept = 0;
  while (kept < mix.size() && covered * 100 < total * cover_percent) covered += mix[kept++].weight;
  mix.resize(kept);
  return mix;
}

ModelSupply SupplyOf(std::span<const NodeShape> nodes) {
  ModelSupply supply{};
  for (const NodeShape& node : nodes) supply[node.model] += node.FreeMilli();
  return supply;
}

bool Fits(const NodeShape& node, const TaskShape& task) {
  if (node.cpu_milli < task.cpu_milli || node.memory_mib < task.memory_mib) return false;
  if (task.gpu_count == 0) return true;
  if (!task.Allows(node.model)) return false;
  int roomy = 0;
  for (int i = 0; i < node.gpu_count; ++i) roomy += node.gpu_milli[i] >= task.gpu_milli ? 1 : 0;
  return roomy >= task.gpu_count;
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

std::optional<Spot> BestSpot(const PlacementRule& rule, const NodeShape& node,
                             const TaskShape& task) {
  if (!Fits(node, task)) return std::nullopt;
  return BestSpot(rule, node, rule.Worth(node), task);
}

std::optional<Spot> BestSpot(const PlacementRule& rule, const NodeShape& node, std::int64_t worth,
                             const TaskShape& task) {
  if (!Fits(node, task)) return std::nullopt;
  if (task.gpu_count == 1 && task.gpu_milli < kWholeGpuMilli) {
    return BestSingleGpu(rule, node, worth, task);
  }
  const std::uint64_t gpus = TightestGpus(node, task.gpu_count, task.gpu_milli);
  return Spot{gpus, rule.Loss(node, worth, task, gpus)};
}

}  // namespace yard::sched::frag
