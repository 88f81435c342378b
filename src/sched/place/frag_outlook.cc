#include "sched/place/frag_outlook.h"

#include <algorithm>
#include <bit>
#include <set>

namespace yard::sched {
namespace {

constexpr std::int64_t kWeightOne = std::int64_t{1} << 20;  // all weights of a mix together
constexpr std::int64_t kNeedPercent = 70;
constexpr std::int64_t kScarcityWeight = 2;  // a fully scarce model counts 1 + 2 times
constexpr std::int64_t kFactorOne = 256;

// Between spots of equal loss the one that leaves less on the GPU; 3 % of a GPU for a whole one
// left over, so that it decides only what the prices leave open.
constexpr std::int64_t kLooseness =
    2 * kWeightOne * kPriceOne / 100 * 3 / kWholeGpuMilli * kFactorOne;

int ModelCount(const ShapeMix& mix, const ModelSupply& supply) {
  int count = 1;
  for (int m = 0; m < kMaxModels; ++m) {
    if (supply[m] > 0) count = m + 1;
  }
  for (const auto& entry : mix) {
    count = std::max(count, static_cast<int>(std::bit_width(entry.shape.models)));
  }
  return count;
}

}  // namespace

std::int64_t Outlook::Curve::At(std::int64_t slots, std::int64_t amount) const {
  if (slots <= 0) return 0;
  const std::int64_t affordable = amount * kPriceOne / slots;
  const auto first_short = std::ranges::upper_bound(needs, affordable) - needs.begin();
  return slots * weight_to[first_short] + amount * rate_from[first_short];
}

Outlook::Curve Outlook::MakeCurve(std::vector<Need> needs) {
  std::ranges::sort(needs, {}, &Need::amount);
  Curve curve;
  curve.weight_to.push_back(0);
  for (const Need& need : needs) {
    curve.needs.push_back(need.amount);
    curve.weight_to.push_back(curve.weight_to.back() + need.weight);
  }
  curve.rate_from.assign(needs.size() + 1, 0);
  for (std::size_t i = needs.size(); i-- > 0;) {
    const std::int64_t need = std::max<std::int64_t>(1, needs[i].amount);
    curve.rate_from[i] = curve.rate_from[i + 1] + needs[i].weight * kPriceOne / need;
  }
  return curve;
}

Outlook::Need Outlook::NeedOf(const TaskShape& shape, std::int64_t amount) const {
  const std::int64_t price =
      std::max<std::int64_t>(kPriceOne / 50, SizePrice(free_parts_, shape.gpu_milli));
  return {amount * kPriceOne / (price * shape.gpu_count) * kNeedPercent / 100, 0};
}

Outlook::Group Outlook::MakeGroup(const ShapeMix& mix, std::int16_t gpu_count, std::int16_t model,
                                  std::int64_t total_weight) const {
  std::vector<Need> cpu;
  std::vector<Need> memory;
  for (const auto& [shape, weight] : mix) {
    if (shape.gpu_count != gpu_count || !shape.Allows(model)) continue;
    const std::int64_t share = weight * kWeightOne / total_weight;
    cpu.push_back({NeedOf(shape, shape.cpu_milli).amount, share});
    memory.push_back({NeedOf(shape, shape.memory_mib).amount, share});
  }
  return {gpu_count, MakeCurve(std::move(cpu)), MakeCurve(std::move(memory))};
}

Outlook::Outlook(const ShapeMix& mix, const ModelSupply& supply)
    : free_parts_(PriceFreeParts(mix)), model_prices_(PriceModels(mix, free_parts_, supply)) {
  std::set<std::int16_t> counts;
  std::int64_t total_weight = 0;
  for (const auto& [shape, weight] : mix) {
    if (shape.gpu_count == 0) continue;
    counts.insert(shape.gpu_count);
    total_weight += weight;
  }
  groups_.resize(static_cast<std::size_t>(ModelCount(mix, supply)));
  for (std::size_t model = 0; model < groups_.size(); ++model) {
    for (std::int16_t count : counts) {
      groups_[model].push_back(
          MakeGroup(mix, count, static_cast<std::int16_t>(model), total_weight));
    }
  }
}

std::int64_t Outlook::Worth(const NodeShape& node) const {
  std::int64_t whole = 0;
  std::int64_t idle = 0;
  for (int i = 0; i < node.gpu_count; ++i) {
    whole += FreePartValue(free_parts_, node.gpu_milli[i]);
    idle += node.gpu_milli[i] == kWholeGpuMilli ? 1 : 0;
  }
  std::int64_t worth = whole * kWeightOne;
  if (static_cast<std::size_t>(node.model) < groups_.size()) {
    for (const Group& group : groups_[static_cast<std::size_t>(node.model)]) {
      const std::int64_t n = group.gpu_count;
      const std::int64_t slots = n == 1 ? whole : idle / n * n * kPriceOne;
      worth +=
          std::min(group.cpu.At(slots, node.cpu_milli), group.memory.At(slots, node.memory_mib));
    }
  }
  const std::int64_t scarcity = kScarcityWeight * model_prices_[node.model];
  return worth * (kFactorOne + scarcity * kFactorOne / kPriceOne);
}

std::int64_t Outlook::Loss(const NodeShape& node, std::int64_t worth, const TaskShape& task,
                           std::uint64_t gpus) const {
  NodeShape after = node;
  Take(after, task, gpus);
  std::int64_t left = 0;
  for (std::uint64_t rest = gpus; rest != 0; rest &= rest - 1) {
    left += after.gpu_milli[std::countr_zero(rest)];
  }
  return worth - Worth(after) + left * kLooseness;
}

}  // namespace yard::sched
