#include "sched/order/fair_share.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>

namespace yard::sched {
namespace {

constexpr std::array<std::int64_t, kResourceCount> kUnits{1000, 1, 1};

struct Splitter {
  std::span<const Claim> claims;
  std::int64_t unit;
  std::int64_t left;
  std::vector<std::int64_t> share = {};
  std::vector<std::int64_t> remainder = {};  // cut off in the last round
  std::vector<std::int64_t> weight = {};

  std::int64_t Wants(std::size_t i) const {
    return std::max<std::int64_t>(claims[i].requestable - share[i], 0);
  }
};

void GiveQuota(Splitter& s, std::int64_t total) {
  for (const Claim& claim : s.claims) {
    const std::int64_t quota = claim.quota == kUnlimited ? total : claim.quota;
    s.share.push_back(std::min(quota, claim.requestable));
    s.left -= s.share.back();
    s.weight.push_back(claim.weight);
  }
  s.remainder.assign(s.claims.size(), 0);
}

std::int64_t WeightSum(const Splitter& s, std::span<const std::size_t> members) {
  std::int64_t sum = 0;
  for (const std::size_t i : members) {
    if (s.Wants(i) > 0) sum += s.weight[i];
  }
  return sum;
}

// One round over the unsatisfied members; true if another one must follow.
bool Round(Splitter& s, std::span<const std::size_t> members) {
  const std::int64_t weights = WeightSum(s, members);
  if (weights == 0 || s.left <= 0) return false;
  const std::int64_t pot = s.left;
  bool again = false;
  for (const std::size_t i : members) {
    const std::int64_t wants = s.Wants(i);
    s.remainder[i] = 0;
    if (wants == 0 || s.weight[i] == 0) continue;
    const Wide exact = static_cast<Wide>(pot) * s.weight[i];
    const auto part = static_cast<std::int64_t>(exact / weights);
    std::int64_t given = part / s.unit * s.unit;
    if (wants <= part) {
      given = wants;
      again = true;
    } else {
      const Wide cut = exact - static_cast<Wide>(given) * weights;
      s.remainder[i] = static_cast<std::int64_t>(cut * 1000 / weights);
    }
    s.share[i] += given;
    s.left -= given;
  }
  return again;
}

// One unit at a time while anyone listed still wants some.
void HandOut(Splitter& s, std::vector<std::size_t> members) {
  std::ranges::stable_sort(members, [&](std::size_t a, std::size_t b) {
    if (s.remainder[a] != s.remainder[b]) return s.remainder[a] > s.remainder[b];
    return s.claims[a].created < s.claims[b].created;
  });
  bool gave = true;
  while (s.left > 0 && gave) {
    gave = false;
    for (const std::size_t i : members) {
      const std::int64_t given = std::min({s.unit, s.Wants(i), s.left});
      if (given <= 0) continue;
      s.share[i] += given;
      s.left -= given;
      gave = true;
    }
  }
}

void Split(Splitter& s, std::vector<std::size_t> members) {
  while (Round(s, members)) {
  }
  HandOut(s, std::move(members));
}

}  // namespace

std::vector<std::int64_t> Divide(std::int64_t total, std::int64_t unit,
                                 std::span<const Claim> claims) {
  Splitter s{claims, unit, total};
  GiveQuota(s, total);
  const auto wants = [&](std::size_t i) { return s.Wants(i) > 0; };
  const auto all = std::views::iota(std::size_t{0}, claims.size());
  if (s.left <= 0 || std::ranges::none_of(all, wants)) return std::move(s.share);
  std::vector<std::size_t> order(claims.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return claims[a].priority > claims[b].priority; });
  const auto unweighted =
      std::ranges::stable_partition(order, [&](std::size_t i) { return claims[i].weight > 0; });
  const auto same_priority = [&](std::size_t a, std::size_t b) {
    return claims[a].priority == claims[b].priority;
  };
  for (auto begin = order.begin(); begin != unweighted.begin() && s.left > 0;) {
    const auto end = std::find_if_not(begin, unweighted.begin(),
                                      [&](std::size_t i) { return same_priority(i, *begin); });
    Split(s, {begin, end});
    begin = end;
  }
  for (const std::size_t i : unweighted) s.weight[i] = 1;
  Split(s, {unweighted.begin(), unweighted.end()});
  return std::move(s.share);
}

std::vector<std::int64_t> DecayedWeights(std::span<const std::int64_t> weights,
                                         std::span<const std::int64_t> usage_millionths,
                                         std::int64_t k_milli) {
  std::int64_t sum = 0;
  for (const std::int64_t weight : weights) sum += weight;
  std::vector<std::int64_t> decayed(weights.size());
  for (std::size_t i = 0; i < weights.size() && sum > 0; ++i) {
    const std::int64_t normal = weights[i] * 1'000'000 / sum;
    const std::int64_t pull = k_milli * (normal - usage_millionths[i]) / 1000;
    decayed[i] = weights[i] == 0 ? 0 : std::max<std::int64_t>(normal + pull, 0);
  }
  return decayed;
}

namespace {

struct Level {
  const Snapshot& snapshot;
  const Policy& policy;
  const Ledger& ledger;
  PoolIndex pool;

  const QueueShare& Rules(QueueIndex queue) const {
    return snapshot.queues[static_cast<std::size_t>(queue.value)]
        .shares[static_cast<std::size_t>(pool.value)];
  }
  Fairness FairnessOf(QueueIndex parent) const {
    for (; parent != kNone<QueueIndex>;) {
      const Queue& queue = snapshot.queues[static_cast<std::size_t>(parent.value)];
      if (queue.fairness) return *queue.fairness;
      parent = queue.parent;
    }
    return policy.fairness;
  }
};

std::vector<std::int64_t> WeightsOf(const Level& level, std::span<const QueueIndex> queues,
                                    QueueIndex parent) {
  std::vector<std::int64_t> weights;
  std::vector<std::int64_t> usage;
  for (QueueIndex queue : queues) {
    weights.push_back(level.Rules(queue).weight);
    usage.push_back(level.Rules(queue).usage_millionths);
  }
  if (level.FairnessOf(parent) != Fairness::kDecayedShare) return weights;
  // What counts is the part of all that was used, however little that was of the pool.
  const std::int64_t all = std::accumulate(usage.begin(), usage.end(), std::int64_t{0});
  for (std::int64_t& used : usage) used = all == 0 ? 0 : used * 1'000'000 / all;
  return DecayedWeights(weights, usage, level.policy.decay_k_milli);
}

std::int64_t AtMost(std::int64_t amount, std::int64_t bound) {
  return bound == kUnlimited ? amount : std::min(amount, bound);
}

std::vector<Resources> Guarantees(const Level& level) {
  const std::size_t count = level.snapshot.queues.size();
  std::vector<Resources> guaranteed(count);
  std::vector<MilliGpu> below(count);
  // Children have larger indices than their parents.
  for (std::size_t q = count; q-- > 0;) {
    const auto queue = QueueIndex(static_cast<std::int32_t>(q));
    guaranteed[q] = level.Rules(queue).quota;
    if (guaranteed[q].gpu.value == kUnlimited) guaranteed[q].gpu = below[q];
    const QueueIndex parent = level.snapshot.queues[q].parent;
    if (parent == kNone<QueueIndex>) continue;
    const QueueBalance& balance = level.ledger.At(queue, level.pool);
    const MilliGpu wanted = balance.allocated.gpu + balance.requested.gpu;
    below[static_cast<std::size_t>(parent.value)] += std::min(guaranteed[q].gpu, wanted);
  }
  return guaranteed;
}

void DivideLevel(const Level& level, QueueIndex parent, std::span<const QueueIndex> queues,
                 const Resources& total, PoolShares& shares) {
  const auto weights = WeightsOf(level, queues, parent);
  std::vector<std::array<std::int64_t, kResourceCount>> parts(queues.size());
  std::vector<Claim> claims(queues.size());
  for (int r = 0; r < kResourceCount; ++r) {
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const QueueShare& rules = level.Rules(queues[i]);
      const QueueBalance& balance = level.ledger.At(queues[i], level.pool);
      const std::int64_t wanted = (balance.allocated + balance.requested).Values()[r];
      const auto row = static_cast<std::size_t>(queues[i].value);
      claims[i] = {shares.guaranteed[row].Values()[r], AtMost(wanted, rules.limit.Values()[r]),
                   weights[i], rules.priority,
                   level.snapshot.queues[static_cast<std::size_t>(queues[i].value)].created};
    }
    const auto divided = Divide(total.Values()[r], kUnits[r], claims);
    for (std::size_t i = 0; i < queues.size(); ++i) parts[i][r] = divided[i];
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    shares.fair[static_cast<std::size_t>(queues[i].value)] = Resources::From(parts[i]);
  }
}

}  // namespace

PoolShares FairShares(const Snapshot& snapshot, const Policy& policy, const Ledger& ledger,
                      PoolIndex pool, const Resources& total) {
  const Level level{snapshot, policy, ledger, pool};
  std::vector<std::vector<QueueIndex>> children(snapshot.queues.size() + 1);
  for (std::size_t q = 0; q < snapshot.queues.size(); ++q) {
    const auto parent = static_cast<std::size_t>(snapshot.queues[q].parent.value + 1);
    children[parent].push_back(QueueIndex(static_cast<std::int32_t>(q)));
  }
  PoolShares shares{std::vector<Resources>(snapshot.queues.size()), Guarantees(level)};
  for (std::size_t p = 0; p < children.size(); ++p) {
    if (children[p].empty()) continue;
    const auto parent = QueueIndex(static_cast<std::int32_t>(p) - 1);
    DivideLevel(level, parent, children[p], p == 0 ? total : shares.fair[p - 1], shares);
  }
  return shares;
}

}  // namespace yard::sched
