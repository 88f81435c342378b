#include "sched/place/frag_price.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace yard::sched::frag {
namespace {

struct Size {
  int steps = 0;
  std::int64_t weight = 0;
  std::int64_t price = 0;
  std::int64_t price_sum = 0;  // over the averaged rounds, in parts of kPriceOne
  int copies = 0;              // in the pattern of this round
};

using Table = std::array<std::int64_t, kSizeSteps + 1>;

constexpr int kSizeRounds = 1000;
constexpr std::int64_t kStartPrice = std::int64_t{1} << 44;

std::vector<Size> CollectSizes(const ShapeMix& mix) {
  std::map<int, std::int64_t> weights;
  for (const auto& [shape, weight] : mix) {
    if (shape.gpu_count == 0) continue;
    weights[(shape.gpu_milli + kSizeStepMilli - 1) / kSizeStepMilli] += weight * shape.gpu_count;
  }
  std::vector<Size> sizes;
  for (const auto& [steps, weight] : weights) {
    sizes.push_back({steps, weight, std::max<std::int64_t>(1, kStartPrice / weight), 0, 0});
  }
  return sizes;
}

// What divides all sizes: between its multiples more room is worth nothing.
int StepOf(const std::vector<Size>& sizes) {
  int step = 0;
  for (const Size& size : sizes) step = std::gcd(step, size.steps);
  return step;
}

// The best total price for every amount of room; `last` is the size added last, -1 for none.
Table Knapsack(const std::vector<Size>& sizes, std::array<int, kSizeSteps + 1>& last) {
  Table best{};
  last[0] = -1;
  const int step = std::max(1, StepOf(sizes));
  for (int room = 1; room <= kSizeSteps; ++room) {
    best[room] = best[room - 1];
    last[room] = -1;
    if (room % step != 0) continue;
    for (std::size_t i = 0; i < sizes.size() && sizes[i].steps <= room; ++i) {
      const std::int64_t total = best[room - sizes[i].steps] + sizes[i].price;
      if (total <= best[room]) continue;
      best[room] = total;
      last[room] = static_cast<int>(i);
    }
  }
  return best;
}

void CountCopies(std::vector<Size>& sizes, const std::array<int, kSizeSteps + 1>& last) {
  for (Size& size : sizes) size.copies = 0;
  for (int room = kSizeSteps; room > 0;) {
    if (last[room] < 0) {
      --room;
      continue;
    }
    Size& size = sizes[static_cast<std::size_t>(last[room])];
    ++size.copies;
    room -= size.steps;
  }
}

// Sizes that the pattern just chosen covers well become cheaper, by at most 1/16 a round.
void LowerCovered(std::vector<Size>& sizes) {
  std::int64_t widest = 1;
  for (const Size& size : sizes) {
    widest = std::max(widest, (std::int64_t{size.copies} << 40) / size.weight);
  }
  for (Size& size : sizes) {
    const std::int64_t cover = (std::int64_t{size.copies} << 40) / size.weight;
    const std::int64_t share = cover / std::max<std::int64_t>(1, widest >> 12);  // 0..2^12
    size.price = std::max<std::int64_t>(1, size.price - (size.price >> 16) * share);
  }
}

void Rescale(std::vector<Size>& sizes) {
  std::int64_t top = 0;
  for (const Size& size : sizes) top = std::max(top, size.price);
  if (top >= kStartPrice >> 8) return;
  for (Size& size : sizes) size.price <<= 4;
}

FreePartValues ValuesOf(std::vector<Size>& sizes) {
  std::array<int, kSizeSteps + 1> last{};
  for (Size& size : sizes) size.price = size.price_sum;
  FreePartValues values = Knapsack(sizes, last);
  const std::int64_t whole = std::max<std::int64_t>(1, values[kSizeSteps]);
  for (std::int64_t& value : values) value = value * kPriceOne / whole;
  return values;
}

// 2^-x for x in 1/256, in parts of 2^16; straight lines between whole powers.
std::int64_t HalvedBy(std::int64_t x) {
  return (kPriceOne - (x & 255) * (kPriceOne / 512)) >> (x >> 8);
}

struct Demand {
  std::uint64_t models = 0;
  std::int64_t amount = 0;
};

std::vector<Demand> CollectDemand(const ShapeMix& mix, const FreePartValues& values) {
  std::map<std::uint64_t, std::int64_t> amounts;
  for (const auto& [shape, weight] : mix) {
    if (shape.gpu_count == 0) continue;
    amounts[shape.models] += weight * shape.gpu_count * SizePrice(values, shape.gpu_milli);
  }
  std::vector<Demand> demand;
  for (const auto& [models, amount] : amounts) demand.push_back({models, amount});
  return demand;
}

constexpr int kModelRounds = 400;
constexpr std::int64_t kSteepness = 14;  // a price of one divides the pull of a model by 2^14

// The load of every model that is there, in parts of 2^16 of its supply, at these prices.
std::array<std::int64_t, kMaxModels> LoadOf(const std::vector<Demand>& demand,
                                            const ModelSupply& supply_share,
                                            const std::vector<int>& models,
                                            const ModelPrices& prices) {
  std::array<std::int64_t, kMaxModels> pull{};
  for (const int m : models) {
    pull[m] = HalvedBy(prices[m] * kSteepness * 256 / kPriceOne);
  }
  std::array<std::int64_t, kMaxModels> load{};
  for (const Demand& d : demand) {
    std::int64_t total = 0;
    const auto allowed = [&](int m) { return d.models == 0 || ((d.models >> m) & 1U) != 0; };
    for (const int m : models) total += allowed(m) ? pull[m] * supply_share[m] : 0;
    if (total == 0) continue;
    for (const int m : models) {
      if (allowed(m)) load[m] += ((d.amount * pull[m]) << 20) / total;
    }
  }
  return load;
}

}  // namespace

FreePartValues PriceFreeParts(const ShapeMix& mix) {
  std::vector<Size> sizes = CollectSizes(mix);
  if (sizes.empty()) {
    FreePartValues proportional{};
    for (int i = 0; i <= kSizeSteps; ++i) proportional[i] = kPriceOne * i / kSizeSteps;
    return proportional;
  }
  std::array<int, kSizeSteps + 1> last{};
  for (int round = 0; round < kSizeRounds; ++round) {
    const Table best = Knapsack(sizes, last);
    if (round >= kSizeRounds / 2) {
      const std::int64_t unit = std::max<std::int64_t>(1, best[kSizeSteps] >> 20);
      for (Size& size : sizes) size.price_sum += size.price / unit;
    }
    CountCopies(sizes, last);
    LowerCovered(sizes);
    Rescale(sizes);
  }
  return ValuesOf(sizes);
}

ModelPrices PriceModels(const ShapeMix& mix, const FreePartValues& values,
                        const ModelSupply& supply) {
  std::int64_t total_supply = 0;
  for (std::int64_t milli : supply) total_supply += milli;
  std::vector<Demand> demand = CollectDemand(mix, values);
  std::int64_t total_demand = 0;
  for (const Demand& d : demand) total_demand += d.amount;
  ModelPrices prices{};
  if (total_supply == 0 || total_demand == 0) return prices;
  // Both sides as shares of 2^20, so that demand and supply balance.
  ModelSupply share{};
  std::vector<int> models;  // that are there
  for (int m = 0; m < kMaxModels; ++m) {
    if (supply[m] <= 0) continue;
    share[m] = std::max<std::int64_t>(1, (supply[m] << 20) / total_supply);
    models.push_back(m);
  }
  const std::int64_t unit = std::max<std::int64_t>(1, total_demand >> 16);
  for (Demand& d : demand) d.amount /= unit;
  for (int round = 0; round < kModelRounds; ++round) {
    const auto load = LoadOf(demand, share, models, prices);
    for (const int m : models) {
      const std::int64_t step = (load[m] - kPriceOne) / 32;
      prices[m] = std::clamp<std::int64_t>(prices[m] + step, 0, kPriceOne);
    }
  }
  return prices;
}

}  // namespace yard::sched::frag
