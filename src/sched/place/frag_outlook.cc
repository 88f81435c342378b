#include "sched/place/frag_outlook.h"

#include <algorithm>
#include <bit>
#include <set>

namespace yard::sched::frag {
namespace {

constexpr std::int64_t kWeightOne = std::int64_t{1} << 20;  // all weights of a mix together
constexpr std::int64_t kNeedPercent = 70;
constexpr std::int64_t kLeastPrice = kPriceOne / 50;  // of a size that fits into waste
constexpr std::int64_t kScarcityWeight = 2;           // a fully scarce model counts 1 + 2 times
constexpr std::int64_t kFactorOne = 256;

// Between spots of equal loss the one that leaves less on the GPU; 3 % of a GPU for a whole one
// left over, so that it decides only what the prices leave open.
constexpr std::int64_t kLooseness = kWorthPerGpu / 100 * 3 / kWholeGpuMilli;
static_assert(kWorthPerGpu == 2 * kWeightOne * kPriceOne * kFactorOne);

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

std::int64_t GpuWeight(const ShapeMix& mix) {
  std::int64_t sum = 0;
  for (const auto& [shape, weight] : mix) sum += shape.gpu_count > 0 ? weight : 0;
  return sum;
}

}  // namespace

std::int64_t Outlook::Needs::Fed(std::int64_t slots, std::int64_t supply) const {
  if (slots <= 0) return 0;
  const std::int64_t affordable = supply * kPriceOne / slots;
  const auto short_from = std::ranges::upper_bound(amounts, affordable) - amounts.begin();
  return slots * weight_to[short_from] + supply * rate_from[short_from];
}

std::int64_t Outlook::Needs::FedWhole(std::int64_t groups, std::int64_t supply) const {
  std::int64_t sum = 0;
  for (std::int64_t copies = 1; copies <= groups; ++copies) {
    sum += weight_to[std::ranges::upper_bound(amounts, supply / copies) - amounts.begin()];
  }
  return sum;
}

Outlook::Needs Outlook::Sorted(std::vector<Need> needs) {
  std::ranges::sort(needs, {}, &Need::amount);
  Needs sorted;
  sorted.weight_to.push_back(0);
  for (const Need& need : needs) {
    sorted.amounts.push_back(need.amount);
    sorted.weight_to.push_back(sorted.weight_to.back() + need.weight);
  }
  sorted.rate_from.assign(needs.size() + 1, 0);
  for (std::size_t i = needs.size(); i-- > 0;) {
    const std::int64_t amount = std::max<std::int64_t>(1, needs[i].amount);
    sorted.rate_from[i] = sorted.rate_from[i + 1] + needs[i].weight * kPriceOne / amount;
  }
  return sorted;
}

// Of a shape of one GPU per unit of GPU price, of a larger one as it is.
std::int64_t Outlook::NeedOf(const TaskShape& shape, std::int64_t amount) const {
  if (shape.gpu_count > 1) return amount;
  const std::int64_t price = std::max(kLeastPrice, SizePrice(free_parts_, shape.gpu_milli));
  return amount * kPriceOne / price * kNeedPercent / 100;
}

Outlook::Group Outlook::MakeGroup(const ShapeMix& mix, std::int16_t gpu_count,
                                  std::int16_t model) const {
  const std::int64_t total = GpuWeight(mix);
  std::vector<Need> cpu;
  std::vector<Need> memory;
  for (const auto& [shape, weight] : mix) {
    if (shape.gpu_count != gpu_count || !shape.Allows(model)) continue;
    std::int64_t share = weight * kWeightOne / total;
    // A group of GPUs cannot be put together again from pieces, so it counts for more.
    if (gpu_count > 1) share += share * gpu_count / 8;
    cpu.push_back({NeedOf(shape, shape.cpu_milli), share});
    memory.push_back({NeedOf(shape, shape.memory_mib), share});
  }
  return {gpu_count, Sorted(std::move(cpu)), Sorted(std::move(memory))};
}

Outlook::Outlook(const ShapeMix& mix, const ModelSupply& supply)
    : free_parts_(PriceFreeParts(mix)), model_prices_(PriceModels(mix, free_parts_, supply)) {
  std::set<std::int16_t> counts;
  for (const auto& entry : mix) counts.insert(entry.shape.gpu_count);
  counts.erase(0);
  groups_.resize(static_cast<std::size_t>(ModelCount(mix, supply)));
  for (std::size_t model = 0; model < groups_.size(); ++model) {
    for (std::int16_t count : counts) {
      groups_[model].push_back(MakeGroup(mix, count, static_cast<std::int16_t>(model)));
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
  // A model that neither the mix nor the supply named is like model 0.
  const auto model = static_cast<std::size_t>(node.model);
  for (const Group& group : groups_[model < groups_.size() ? model : 0]) {
    const std::int64_t n = group.gpu_count;
    worth += n == 1 ? std::min(group.cpu.Fed(whole, node.cpu_milli),
                               group.memory.Fed(whole, node.memory_mib))
                    : std::min(group.cpu.FedWhole(idle / n, node.cpu_milli),
                               group.memory.FedWhole(idle / n, node.memory_mib)) *
                          n * kPriceOne;
  }
  const std::int64_t scarcity = kScarcityWeight * model_prices_[model];
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

}  // namespace yard::sched::frag
