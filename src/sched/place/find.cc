#include "sched/place/find.h"

#include <algorithm>
#include <limits>

#include "sched/place/gpus.h"
#include "sched/place/worth.h"

namespace yard::sched {
namespace {

constexpr int kCloseCandidates = 8;

// One search: its inputs and what it has seen.
struct Search {
  const Snapshot& snapshot;
  const NodeTable& nodes;
  const TaskShape& shape;
  ShapeIndex index;
  PoolIndex pool;
  Strategy strategy;
  NodeIndex except;
  FitGap gap = {};

  std::int16_t EachIn(ClassIndex c) const { return nodes.Fit(index, c).each; }
  bool Suitable(ClassIndex c) const { return nodes.Fit(index, c).cause == Cause::kNone; }

  // True if the node, known to have the GPUs, has the rest as well.
  bool HasRest(NodeIndex node) {
    if (node == except) return false;
    const FitGap rest = RestGap(nodes, node, shape);
    if (rest.cause != Cause::kNone && gap.cause == Cause::kNone) gap = rest;
    return rest.cause == Cause::kNone;
  }
  bool Fits(NodeIndex node, ClassIndex c) {
    if (shape.gpu_count > 0 && RoomyGpus(nodes, node, EachIn(c)) < shape.gpu_count) return false;
    return HasRest(node);
  }
  std::span<const Gpu> GpusOf(NodeIndex node) const {
    return snapshot.nodes[static_cast<std::size_t>(node.value)].gpus;
  }
  // True if nodes are judged by what a placement takes from their worth.
  bool Judged() const {
    return strategy == Strategy::kFragmentation && shape.gpu_count > 0 &&
           nodes.worth() != nullptr && nodes.worth()->Fractional();
  }
  TaskPlacement PlaceOn(NodeIndex node) const {
    const std::int16_t each = EachIn(nodes.At(node).node_class);
    TaskPlacement at{0, node, 0, MilliGpu(each)};
    if (shape.gpu_count == 0) return at;
    if (Judged()) {
      if (const auto score = nodes.worth()->Of(nodes, node, index)) {
        at.gpus = score->gpus;
        return at;
      }
    }
    at.gpus = ChooseGpus(nodes.Gpus(node), GpusOf(node), shape.gpu_count, each, strategy);
    return at;
  }
  bool WantsCloseness() const { return shape.gpu_count > 1 && shape.gpu_each.value == kWholeGpu; }
};

// The first fitting member of a bucket, or of the first few the one with the closest GPUs.
NodeIndex BestOf(Search& search, ClassIndex c, const RankSet& bucket) {
  const NodeClass& node_class = search.nodes.Class(c);
  NodeIndex best = kNone<NodeIndex>;
  int best_distance = 4;
  int seen = 0;
  for (int rank = bucket.Next(0); rank >= 0; rank = bucket.Next(rank + 1)) {
    const NodeIndex node = node_class.members[static_cast<std::size_t>(rank)];
    if (!search.Fits(node, c)) continue;
    if (!search.WantsCloseness()) return node;
    const int distance = Distance(search.GpusOf(node), search.PlaceOn(node).gpus);
    if (distance < best_distance) {
      best = node;
      best_distance = distance;
    }
    if (best_distance == 0 || ++seen == kCloseCandidates) break;
  }
  return best;
}

// Asks every suitable class for its bucket of one preference; the lowest node index wins.
template <class BucketOf>
NodeIndex BestOfClasses(Search& search, BucketOf bucket_of) {
  NodeIndex best = kNone<NodeIndex>;
  for (ClassIndex c : search.nodes.ClassesOf(search.pool)) {
    if (!search.Suitable(c)) continue;
    const RankSet* bucket = bucket_of(search.nodes.Class(c), search.EachIn(c));
    if (bucket == nullptr || bucket->empty()) continue;
    const NodeIndex node = BestOf(search, c, *bucket);
    if (node != kNone<NodeIndex> && (best == kNone<NodeIndex> || node < best)) best = node;
  }
  return best;
}

std::int32_t MostGpus(const Search& search) {
  std::int32_t most = 0;
  for (ClassIndex c : search.nodes.ClassesOf(search.pool)) {
    most = std::max(most, search.nodes.Class(c).gpu_count);
  }
  return most;
}

NodeIndex FindByIdle(Search& search, std::int32_t least) {
  const std::int32_t most = MostGpus(search);
  for (std::int32_t step = 0; step <= most - least; ++step) {
    const std::int32_t idle = search.strategy == Strategy::kSpread ? most - step : least + step;
    const NodeIndex node =
        BestOfClasses(search, [&](const NodeClass& c, std::int16_t) -> const RankSet* {
          return idle <= c.gpu_count ? &c.by_idle[static_cast<std::size_t>(idle)] : nullptr;
        });
    if (node != kNone<NodeIndex>) return node;
  }
  return kNone<NodeIndex>;
}

// The next free part after `value` (before it, for spread) that some partly used GPU has.
std::int32_t NextPartial(const Search& search, std::int32_t value) {
  std::int32_t next = -1;
  for (ClassIndex c : search.nodes.ClassesOf(search.pool)) {
    if (!search.Suitable(c)) continue;
    const std::int32_t from = std::max<std::int32_t>(value + 1, search.EachIn(c));
    const std::int32_t found = search.nodes.Class(c).partial_values.Next(from);
    if (found >= 0 && (next < 0 || found < next)) next = found;
  }
  return next;
}

NodeIndex FindByPartial(Search& search) {
  std::vector<std::int32_t> values;
  for (std::int32_t v = NextPartial(search, 0); v >= 0; v = NextPartial(search, v)) {
    values.push_back(v);
  }
  if (search.strategy == Strategy::kSpread) std::ranges::reverse(values);
  for (const std::int32_t value : values) {
    const NodeIndex node =
        BestOfClasses(search, [&](const NodeClass& c, std::int16_t each) -> const RankSet* {
          return value >= each ? &c.by_partial[static_cast<std::size_t>(value)] : nullptr;
        });
    if (node != kNone<NodeIndex>) return node;
  }
  return kNone<NodeIndex>;
}

NodeIndex FindForParts(Search& search) {
  if (search.strategy != Strategy::kSpread) {
    const NodeIndex node = FindByPartial(search);
    return node != kNone<NodeIndex> ? node : FindByIdle(search, 1);
  }
  const NodeIndex node = FindByIdle(search, 1);
  return node != kNone<NodeIndex> ? node : FindByPartial(search);
}

NodeIndex FindWithoutGpu(Search& search) {
  for (const bool with_gpus : {false, true}) {
    for (int step = 0; step <= kCpuBuckets; ++step) {
      const int bucket = search.strategy == Strategy::kSpread ? kCpuBuckets - step : step;
      const NodeIndex node =
          BestOfClasses(search, [&](const NodeClass& c, std::int16_t) -> const RankSet* {
            if ((c.gpu_count > 0) != with_gpus) return nullptr;
            return &c.by_cpu[static_cast<std::size_t>(bucket)];
          });
      if (node != kNone<NodeIndex>) return node;
    }
  }
  return kNone<NodeIndex>;
}

bool TakesWholeGpus(const TaskShape& shape) {
  return shape.gpu_memory_each.value == 0 && shape.gpu_each.value == kWholeGpu;
}

Search Prepare(const Snapshot& snapshot, const NodeTable& nodes, ShapeIndex index, PoolIndex pool,
               const Scope& scope) {
  const TaskShape& shape = snapshot.shapes[static_cast<std::size_t>(index.value)];
  const Pool& rules = snapshot.pools[static_cast<std::size_t>(pool.value)];
  const Strategy strategy = shape.gpu_count > 0 ? rules.gpu_strategy : rules.cpu_strategy;
  return {snapshot, nodes, shape, index, pool, strategy, scope.except};
}

std::int64_t Mirror(const Search& search, std::int64_t value, std::int64_t top) {
  return search.strategy == Strategy::kSpread ? top - value : value;
}

// The preference of the head comment as a number.
std::int64_t Preference(const Search& search, NodeIndex node) {
  const NodeFree& free = search.nodes.At(node);
  const NodeClass& c = search.nodes.Class(free.node_class);
  if (search.Judged()) {
    const auto score = search.nodes.worth()->Of(search.nodes, node, search.index);
    return score ? score->loss : std::numeric_limits<std::int64_t>::max();
  }
  if (search.shape.gpu_count == 0) {
    const std::int64_t bucket = c.max_cpu == 0 ? 0 : free.cpu * kCpuBuckets / c.max_cpu;
    return Mirror(search, bucket, kCpuBuckets) + (c.gpu_count > 0 ? 10'000 : 0);
  }
  const std::int64_t by_idle = Mirror(search, free.idle, 64);
  if (TakesWholeGpus(search.shape)) return by_idle;
  const std::int16_t each = search.EachIn(free.node_class);
  std::int64_t by_part = -1;
  for (const std::int16_t part : search.nodes.Gpus(node)) {
    if (part < each || part == kWholeGpu) continue;
    const std::int64_t value = Mirror(search, part, kWholeGpu);
    if (by_part < 0 || value < by_part) by_part = value;
  }
  const bool spread = search.strategy == Strategy::kSpread;
  if (spread) return free.idle > 0 ? by_idle : 10'000 + by_part;
  return by_part >= 0 ? by_part : 10'000 + by_idle;
}

// A full pool is the usual case when many wait, and the buckets tell it without a look at every
// node. Where something else than GPUs is missing as well, the scan says what.
bool IsFull(Search search) {
  const NodeIndex any = TakesWholeGpus(search.shape) ? FindByIdle(search, search.shape.gpu_count)
                                                     : FindForParts(search);
  return any == kNone<NodeIndex> && search.gap.cause == Cause::kNone;
}

Found Finish(Search& search, NodeIndex node) {
  if (node == kNone<NodeIndex>) return {std::nullopt, search.gap};
  return {search.PlaceOn(node), {}};
}

}  // namespace

Found FindPlaceByScan(const Snapshot& snapshot, const NodeTable& nodes, ShapeIndex index,
                      PoolIndex pool, const Scope& scope) {
  Search search = Prepare(snapshot, nodes, index, pool, scope);
  std::pair<std::int64_t, int> best_key;
  NodeIndex best = kNone<NodeIndex>;
  const auto consider = [&](NodeIndex node) {
    const NodeFree& free = nodes.At(node);
    if (!free.in_service || nodes.Class(free.node_class).pool != pool) return;
    if (!search.Suitable(free.node_class) || !search.Fits(node, free.node_class)) return;
    const int distance =
        search.WantsCloseness() ? Distance(search.GpusOf(node), search.PlaceOn(node).gpus) : 0;
    const std::pair key{Preference(search, node), distance};
    if (best != kNone<NodeIndex> && std::pair(key, node) >= std::pair(best_key, best)) return;
    best_key = key;
    best = node;
  };
  if (!scope.only.empty()) {
    std::ranges::for_each(scope.only, consider);
  } else {
    for (ClassIndex c : nodes.ClassesOf(pool)) {
      if (search.Suitable(c)) std::ranges::for_each(nodes.Class(c).members, consider);
    }
  }
  return Finish(search, best);
}

Found FindPlace(const Snapshot& snapshot, const NodeTable& nodes, ShapeIndex index, PoolIndex pool,
                const Scope& scope) {
  if (!scope.only.empty()) return FindPlaceByScan(snapshot, nodes, index, pool, scope);
  Search search = Prepare(snapshot, nodes, index, pool, scope);
  if (search.Judged()) {
    if (IsFull(search)) return Finish(search, kNone<NodeIndex>);
    return FindPlaceByScan(snapshot, nodes, index, pool, scope);
  }
  if (search.shape.gpu_count == 0) return Finish(search, FindWithoutGpu(search));
  if (TakesWholeGpus(search.shape)) {
    return Finish(search, FindByIdle(search, search.shape.gpu_count));
  }
  return Finish(search, FindForParts(search));
}

}  // namespace yard::sched
