#include "sched/core/node_table.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "base/check.h"
#include "sched/filter/suit.h"

namespace yard::sched {
namespace {

using ClassKey = std::tuple<std::int32_t, std::int32_t, std::size_t, std::vector<LabelIndex>,
                            std::vector<LabelIndex>>;

std::vector<LabelIndex> MentionedLabels(const Snapshot& snapshot) {
  std::vector<LabelIndex> labels;
  for (const TaskShape& shape : snapshot.shapes) {
    for (const auto& any : shape.labels) labels.insert(labels.end(), any.begin(), any.end());
  }
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

ClassKey KeyOf(const Node& node, const std::vector<LabelIndex>& mentioned) {
  std::vector<LabelIndex> labels;
  std::ranges::set_intersection(node.labels, mentioned, std::back_inserter(labels));
  return {node.pool.value, node.model.value, node.gpus.size(), std::move(labels), node.taints};
}

void Widen(NodeClass& c, const Node& node) {
  c.max_cpu = std::max(c.max_cpu, node.cpu.value);
  c.max_memory = std::max(c.max_memory, node.memory.value);
  for (std::size_t e = 0; e < node.extended.size(); ++e) {
    c.max_extended[e] = std::max(c.max_extended[e], node.extended[e]);
  }
}

}  // namespace

NodeTable::NodeTable(const Snapshot& snapshot)
    : extended_count_(snapshot.extended.size()),
      by_pool_(snapshot.pools.size()),
      mentioned_(MentionedLabels(snapshot)),
      totals_(snapshot.pools.size()),
      smallest_gpu_(snapshot.pools.size()) {
  Classify(snapshot);
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    AddNode(snapshot, NodeIndex(static_cast<std::int32_t>(n)));
  }
  for (std::size_t s = 0; s < snapshot.shapes.size(); ++s) {
    Learn(snapshot, ShapeIndex(static_cast<std::int32_t>(s)));
  }
}

void NodeTable::Classify(const Snapshot& snapshot) {
  std::map<ClassKey, std::int32_t> known;
  nodes_.resize(snapshot.nodes.size());
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    const Node& node = snapshot.nodes[n];
    const auto next = static_cast<std::int32_t>(classes_.size());
    const auto [at, fresh] = known.try_emplace(KeyOf(node, mentioned_), next);
    if (fresh) {
      NodeClass& made = classes_.emplace_back();
      made.pool = node.pool;
      made.model = node.model;
      made.gpu_count = static_cast<std::int32_t>(node.gpus.size());
      made.labels = std::get<3>(at->first);
      made.taints = node.taints;
      made.max_extended.resize(extended_count_);
      by_pool_[static_cast<std::size_t>(node.pool.value)].push_back(ClassIndex(next));
    }
    NodeClass& c = classes_[static_cast<std::size_t>(at->second)];
    nodes_[n].node_class = ClassIndex(at->second);
    nodes_[n].rank = static_cast<std::int32_t>(c.members.size());
    c.members.push_back(NodeIndex(static_cast<std::int32_t>(n)));
    Widen(c, node);
  }
  for (NodeClass& c : classes_) {
    const auto size = static_cast<std::int32_t>(c.members.size());
    c.by_idle.assign(static_cast<std::size_t>(c.gpu_count) + 1, RankSet(size));
    c.by_partial.assign(c.gpu_count > 0 ? kWholeGpu : 0, RankSet(size));
    c.by_cpu.assign(kCpuBuckets + 1, RankSet(size));
  }
}

void NodeTable::AddNode(const Snapshot& snapshot, NodeIndex index) {
  const Node& node = snapshot.nodes[Pos(index)];
  NodeFree& free = nodes_[Pos(index)];
  free.cpu = node.cpu.value;
  free.memory = node.memory.value;
  free.first_gpu = static_cast<std::uint32_t>(gpu_free_.size());
  free.gpu_count = static_cast<std::uint8_t>(node.gpus.size());
  for (const Gpu& gpu : node.gpus) {
    gpu_free_.push_back(static_cast<std::int16_t>(gpu.usable.value));
    gpu_usable_.push_back(static_cast<std::int16_t>(gpu.usable.value));
    free.idle = static_cast<std::uint8_t>(free.idle + (gpu.usable.value == kWholeGpu ? 1 : 0));
  }
  for (std::size_t e = 0; e < extended_count_; ++e) {
    extended_.push_back(e < node.extended.size() ? node.extended[e] : 0);
  }
  if (node.model != kNone<ModelIndex>) {
    const Mebibytes memory = snapshot.models[static_cast<std::size_t>(node.model.value)].memory;
    Mebibytes& smallest = smallest_gpu_[static_cast<std::size_t>(node.pool.value)];
    if (smallest.value == 0 || memory < smallest) smallest = memory;
  }
  SetState(index, node);
}

std::span<const std::int16_t> NodeTable::Gpus(NodeIndex node) const {
  const NodeFree& free = At(node);
  return {gpu_free_.data() + free.first_gpu, free.gpu_count};
}

std::span<const std::int64_t> NodeTable::Extended(NodeIndex node) const {
  return {extended_.data() + Pos(node) * extended_count_, extended_count_};
}

std::span<const ClassIndex> NodeTable::ClassesOf(PoolIndex pool) const {
  return by_pool_[static_cast<std::size_t>(pool.value)];
}

const ShapeFit& NodeTable::Fit(ShapeIndex shape, ClassIndex c) const {
  return fits_[static_cast<std::size_t>(shape.value)][static_cast<std::size_t>(c.value)];
}

const Resources& NodeTable::Total(PoolIndex pool) const {
  return totals_[static_cast<std::size_t>(pool.value)];
}

Mebibytes NodeTable::SmallestGpu(PoolIndex pool) const {
  return smallest_gpu_[static_cast<std::size_t>(pool.value)];
}

bool NodeTable::Learn(const Snapshot& snapshot, ShapeIndex index) {
  const TaskShape& shape = snapshot.shapes[static_cast<std::size_t>(index.value)];
  for (const auto& any : shape.labels) {
    for (LabelIndex label : any) {
      if (!std::ranges::binary_search(mentioned_, label)) return false;
    }
  }
  YARD_CHECK(fits_.size() == static_cast<std::size_t>(index.value));
  std::vector<ShapeFit>& row = fits_.emplace_back();
  row.reserve(classes_.size());
  for (const NodeClass& c : classes_) row.push_back(Suits(snapshot, shape, c));
  return true;
}

bool NodeTable::CanTake(const TaskShape& shape, const TaskPlacement& at) const {
  const NodeFree& free = At(at.node);
  if (shape.cpu.value > free.cpu || shape.memory.value > free.memory) return false;
  for (const ExtendedAmount& need : shape.extended) {
    if (Extended(at.node)[static_cast<std::size_t>(need.resource.value)] < need.amount) {
      return false;
    }
  }
  for (std::uint64_t rest = at.gpus; rest != 0; rest &= rest - 1) {
    const auto gpu = static_cast<std::size_t>(std::countr_zero(rest));
    if (gpu >= free.gpu_count || Gpus(at.node)[gpu] < at.each.value) return false;
  }
  return true;
}

std::size_t NodeTable::CpuBucket(const NodeClass& c, std::int64_t cpu) const {
  if (c.max_cpu == 0) return 0;
  return static_cast<std::size_t>(std::max<std::int64_t>(cpu, 0) * kCpuBuckets / c.max_cpu);
}

void NodeTable::MoveCpuBucket(NodeFree& node, std::int64_t cpu) {
  NodeClass& c = classes_[static_cast<std::size_t>(node.node_class.value)];
  const std::size_t from = CpuBucket(c, node.cpu);
  const std::size_t to = CpuBucket(c, cpu);
  node.cpu = cpu;
  if (from == to || !node.in_service) return;
  c.by_cpu[from].Erase(node.rank);
  c.by_cpu[to].Insert(node.rank);
}

void NodeTable::ChangeGpu(NodeFree& node, std::uint32_t gpu, std::int16_t by) {
  std::int16_t& free = gpu_free_[node.first_gpu + gpu];
  const std::int16_t before = free;
  free = static_cast<std::int16_t>(free + by);
  YARD_CHECK(free >= 0);
  const int idle = node.idle + (free == kWholeGpu ? 1 : 0) - (before == kWholeGpu ? 1 : 0);
  if (node.in_service) {
    NodeClass& c = classes_[static_cast<std::size_t>(node.node_class.value)];
    c.free_milli += by;
    const auto begin = gpu_free_.begin() + node.first_gpu;
    const auto end = begin + node.gpu_count;
    if (before > 0 && before < kWholeGpu && std::find(begin, end, before) == end) {
      c.by_partial[static_cast<std::size_t>(before)].Erase(node.rank);
      if (c.by_partial[static_cast<std::size_t>(before)].empty()) c.partial_values.Erase(before);
    }
    if (free > 0 && free < kWholeGpu) {
      c.by_partial[static_cast<std::size_t>(free)].Insert(node.rank);
      c.partial_values.Insert(free);
    }
    if (idle != node.idle) {
      c.by_idle[node.idle].Erase(node.rank);
      c.by_idle[static_cast<std::size_t>(idle)].Insert(node.rank);
    }
  }
  node.idle = static_cast<std::uint8_t>(idle);
}

void NodeTable::Change(const TaskShape& shape, const TaskPlacement& at, int sign) {
  NodeFree& node = nodes_[Pos(at.node)];
  ++node.version;
  if (shape.cpu.value != 0) MoveCpuBucket(node, node.cpu + sign * shape.cpu.value);
  node.memory += sign * shape.memory.value;
  for (const ExtendedAmount& need : shape.extended) {
    const auto column = static_cast<std::size_t>(need.resource.value);
    extended_[Pos(at.node) * extended_count_ + column] += sign * need.amount;
  }
  const auto by = static_cast<std::int16_t>(sign * at.each.value);
  for (std::uint64_t rest = at.gpus; rest != 0; rest &= rest - 1) {
    ChangeGpu(node, static_cast<std::uint32_t>(std::countr_zero(rest)), by);
  }
}

void NodeTable::Enter(NodeFree& node) {
  NodeClass& c = classes_[static_cast<std::size_t>(node.node_class.value)];
  node.in_service = true;
  ++c.in_service;
  c.by_idle[node.idle].Insert(node.rank);
  c.by_cpu[CpuBucket(c, node.cpu)].Insert(node.rank);
  for (std::uint32_t g = 0; g < node.gpu_count; ++g) {
    const std::int16_t free = gpu_free_[node.first_gpu + g];
    c.free_milli += free;
    c.usable_milli += gpu_usable_[node.first_gpu + g];
    if (free <= 0 || free == kWholeGpu) continue;
    c.by_partial[static_cast<std::size_t>(free)].Insert(node.rank);
    c.partial_values.Insert(free);
  }
}

void NodeTable::Leave(NodeFree& node) {
  NodeClass& c = classes_[static_cast<std::size_t>(node.node_class.value)];
  node.in_service = false;
  --c.in_service;
  c.by_idle[node.idle].Erase(node.rank);
  c.by_cpu[CpuBucket(c, node.cpu)].Erase(node.rank);
  for (std::uint32_t g = 0; g < node.gpu_count; ++g) {
    const std::int16_t free = gpu_free_[node.first_gpu + g];
    c.free_milli -= free;
    c.usable_milli -= gpu_usable_[node.first_gpu + g];
    if (free <= 0 || free == kWholeGpu) continue;
    RankSet& set = c.by_partial[static_cast<std::size_t>(free)];
    set.Erase(node.rank);
    if (set.empty()) c.partial_values.Erase(free);
  }
}

void NodeTable::SetState(NodeIndex index, const Node& description) {
  NodeFree& node = nodes_[Pos(index)];
  const bool ready = description.state == NodeState::kReady;
  if (ready == node.in_service) return;
  const std::int64_t sign = ready ? 1 : -1;
  Resources offer{MilliGpu(0), description.cpu, description.memory};
  for (const Gpu& gpu : description.gpus) offer.gpu += gpu.usable;
  totals_[static_cast<std::size_t>(description.pool.value)] += offer * sign;
  if (ready) {
    Enter(node);
  } else {
    Leave(node);
  }
}

}  // namespace yard::sched
