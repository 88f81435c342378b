// Fragmentation-aware placement: light shapes of nodes and tasks, and the best spot for a task.
//
// A placement costs what it takes from the *worth* of a node, which is the part of its free GPUs
// that the work to come is expected to be able to use (see frag_outlook.h). So fractions complete
// one another on a GPU, CPU-heavy tasks go where CPU is plentiful, and GPUs of a model that others
// insist on are left to those others.
//
// Everything here is a value or a pure function over plain integers (the unit is in the name):
// no floating point, no globals, no clock. The same arguments give the same answer everywhere.
// Invariants: 0 <= gpu_milli[i] <= 1000 for i < gpu_count; model < 64; a whole GPU is 1000 milli.
// Thread rule: any thread; nothing is shared.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace yard::sched::frag {

inline constexpr int kMaxNodeGpus = 64;
inline constexpr int kMaxModels = 64;
inline constexpr std::int16_t kWholeGpuMilli = 1000;

// What is free on one node.
struct NodeShape {
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int16_t model = 0;
  std::int16_t gpu_count = 0;
  std::array<std::int16_t, kMaxNodeGpus> gpu_milli{};

  bool operator==(const NodeShape&) const = default;
  std::int64_t FreeMilli() const;
};

// What one task asks of one node: `gpu_count` distinct GPUs with `gpu_milli` free on each.
struct TaskShape {
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int16_t gpu_count = 0;
  std::int16_t gpu_milli = 0;
  std::uint64_t models = 0;  // bit m allows model m; 0 allows every model

  auto operator<=>(const TaskShape&) const = default;
  bool Allows(std::int16_t model) const { return models == 0 || ((models >> model) & 1U) != 0; }
  std::int64_t TotalMilli() const { return std::int64_t{gpu_count} * gpu_milli; }
};

struct WeightedShape {
  TaskShape shape;
  std::int64_t weight = 1;  // how often it comes; positive
};

// The typical shapes of the work to come.
using ShapeMix = std::vector<WeightedShape>;

// The most frequent shapes that together make up at least `cover_percent` of all weight, most
// frequent first, ties by shape. Equal shapes are merged.
ShapeMix TypicalShapes(std::span<const WeightedShape> seen, int cover_percent);

// Free milli-GPU by model.
using ModelSupply = std::array<std::int64_t, kMaxModels>;
ModelSupply SupplyOf(std::span<const NodeShape> nodes);

// Where on a node a task goes, and what that costs.
struct Spot {
  std::uint64_t gpus = 0;  // bit i: GPU i is used
  std::int64_t loss = 0;   // lower is better; comparable between the nodes of one rule
};

bool Fits(const NodeShape& node, const TaskShape& task);
void Take(NodeShape& node, const TaskShape& task, std::uint64_t gpus);
void GiveBack(NodeShape& node, const TaskShape& task, std::uint64_t gpus);

// A measure of placements. Implementations are immutable values.
class PlacementRule {
 public:
  virtual ~PlacementRule() = default;
  // How much the free part of a node is worth.
  virtual std::int64_t Worth(const NodeShape& node) const = 0;
  // What putting the task on these GPUs costs, given the worth of the node before; the task fits.
  virtual std::int64_t Loss(const NodeShape& node, std::int64_t worth, const TaskShape& task,
                            std::uint64_t gpus) const = 0;
};

// The best GPUs for the task on this node; nothing if it does not fit. Between nodes the lowest
// loss wins; ties are the caller's (by a fixed order of nodes, so that work gathers on few).
std::optional<Spot> BestSpot(const PlacementRule& rule, const NodeShape& node,
                             const TaskShape& task);
// The same where the worth of the node is already known.
std::optional<Spot> BestSpot(const PlacementRule& rule, const NodeShape& node, std::int64_t worth,
                             const TaskShape& task);

}  // namespace yard::sched::frag
