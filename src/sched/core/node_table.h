// What is free on the nodes, kept in the forms that placement asks for.
//
// Nodes that no shape can tell apart except by what is free form a class: same pool, GPU model,
// number of GPUs, taints, and labels (only labels that some shape mentions count). Inside a class,
// nodes lie in buckets by idle GPUs, by the free part of each partly used GPU, and by free CPU, so
// that "the fullest node that still fits" is found without looking at the others.
//
// Invariants: a node that is not in service is in no bucket; members of a class ascend by index;
// 0 <= free <= usable for every GPU.
//
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sched/core/rank_set.h"
#include "sched/reason.h"
#include "sched/snapshot.h"

namespace yard::sched {

using ClassIndex = StrongId<struct ClassIndexTag, std::int32_t>;

inline constexpr std::int16_t kWholeGpu = 1000;
inline constexpr int kCpuBuckets = 64;

struct NodeClass {
  PoolIndex pool;
  ModelIndex model;
  std::int32_t gpu_count = 0;
  std::vector<LabelIndex> labels;
  std::vector<LabelIndex> taints;
  std::vector<NodeIndex> members;
  // The largest node, for "too small even when empty".
  std::int64_t max_cpu = 0;
  std::int64_t max_memory = 0;
  std::vector<std::int64_t> max_extended;
  // In service only:
  std::int64_t free_milli = 0;
  std::int64_t usable_milli = 0;
  std::int32_t in_service = 0;
  std::vector<RankSet> by_idle;     // [number of idle GPUs]
  std::vector<RankSet> by_partial;  // [free milli of one partly used GPU]
  RankSet partial_values{kWholeGpu};
  std::vector<RankSet> by_cpu;  // [free CPU in 64ths of max_cpu]
};

struct NodeFree {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  ClassIndex node_class;
  std::int32_t rank = 0;
  std::uint32_t first_gpu = 0;
  std::uint32_t version = 1;  // grows with every change
  std::uint8_t gpu_count = 0;
  std::uint8_t idle = 0;
  bool in_service = false;
};

// How one shape meets one class.
struct ShapeFit {
  Cause cause = Cause::kNone;  // kNone: suitable
  std::int16_t each = 0;       // milli of each GPU there
};

class Worth;

class NodeTable {
 public:
  explicit NodeTable(const Snapshot& snapshot);

  const NodeFree& At(NodeIndex node) const { return nodes_[Pos(node)]; }
  std::span<const std::int16_t> Gpus(NodeIndex node) const;
  std::span<const std::int64_t> Extended(NodeIndex node) const;
  const NodeClass& Class(ClassIndex c) const { return classes_[static_cast<std::size_t>(c.value)]; }
  std::span<const ClassIndex> ClassesOf(PoolIndex pool) const;
  const ShapeFit& Fit(ShapeIndex shape, ClassIndex c) const;
  std::size_t class_count() const { return classes_.size(); }
  std::size_t node_count() const { return nodes_.size(); }
  // What nodes in service offer in the pool in total.
  const Resources& Total(PoolIndex pool) const;
  // The smallest GPU memory of the pool, to price fractions asked for by memory.
  Mebibytes SmallestGpu(PoolIndex pool) const;

  // Who judges nodes of fragmentation-aware pools; null where nobody does. Borrowed.
  const Worth* worth() const { return worth_; }
  void SetWorth(const Worth* worth) { worth_ = worth; }

  void Take(const TaskShape& shape, const TaskPlacement& at) { Change(shape, at, -1); }
  void Release(const TaskShape& shape, const TaskPlacement& at) { Change(shape, at, +1); }
  // False if it would take more than is free (or give back more than there is).
  bool CanTake(const TaskShape& shape, const TaskPlacement& at) const;
  void SetState(NodeIndex node, const Node& description);

  // Learns a shape that was appended to the snapshot. False if the classes do not tell its labels
  // apart: then the table must be built anew.
  bool Learn(const Snapshot& snapshot, ShapeIndex shape);

 private:
  static std::size_t Pos(NodeIndex node) { return static_cast<std::size_t>(node.value); }
  void Classify(const Snapshot& snapshot);
  void AddNode(const Snapshot& snapshot, NodeIndex node);
  void Change(const TaskShape& shape, const TaskPlacement& at, int sign);
  void ChangeGpu(NodeFree& node, std::uint32_t gpu, std::int16_t by);
  void MoveCpuBucket(NodeFree& node, std::int64_t cpu);
  void Enter(NodeFree& node);
  void Leave(NodeFree& node);
  std::size_t CpuBucket(const NodeClass& c, std::int64_t cpu) const;

  std::vector<NodeFree> nodes_;
  std::vector<std::int16_t> gpu_free_;
  std::vector<std::int16_t> gpu_usable_;
  std::vector<std::int64_t> extended_;
  std::size_t extended_count_ = 0;
  std::vector<NodeClass> classes_;
  std::vector<std::vector<ClassIndex>> by_pool_;
  std::vector<std::vector<ShapeFit>> fits_;  // [shape][class]
  std::vector<LabelIndex> mentioned_;        // labels that shapes ask for, sorted
  std::vector<Resources> totals_;
  std::vector<Mebibytes> smallest_gpu_;
  const Worth* worth_ = nullptr;
};

}  // namespace yard::sched
