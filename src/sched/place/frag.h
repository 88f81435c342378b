// Fragmentation-aware placement: how useful the free part of a node stays after a task is put
// there.
//
// The measure is the *usable* amount of a node: for every typical shape, the milli-GPU that copies
// of that shape alone could still take there (counting GPUs, CPU and memory together), averaged
// over the mix. A placement costs what it takes away from that amount, so a task goes where it
// spoils least: fractions fill holes, CPU-heavy tasks go where CPU is plentiful, nodes of a model
// that others insist on are left to those others.
//
// Everything here is a value or a pure function over plain integers (the unit is in the name):
// no floating point, no globals, no clock. The same arguments give the same answer everywhere.
// Invariants: 0 <= gpu_milli[i] <= 1000 for i < gpu_count; a whole GPU is 1000 milli.
// Thread rule: any thread; nothing is shared.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace yard::sched {

inline constexpr int kMaxNodeGpus = 64;
inline constexpr std::int16_t kWholeGpuMilli = 1000;

// What is free on one node.
struct NodeShape {
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int16_t model = 0;  // 0..63
  std::int16_t gpu_count = 0;
  std::array<std::int16_t, kMaxNodeGpus> gpu_milli{};

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

// Where on a node a task goes, and what that costs.
struct Spot {
  std::uint64_t gpus = 0;  // bit i: GPU i is used
  std::int64_t loss = 0;   // lower is better; comparable between the nodes of one Outlook
};

bool Fits(const NodeShape& node, const TaskShape& task);
void Take(NodeShape& node, const TaskShape& task, std::uint64_t gpus);
void GiveBack(NodeShape& node, const TaskShape& task, std::uint64_t gpus);

// What the future is expected to ask for, prepared for scoring.
class Outlook {
 public:
  explicit Outlook(const ShapeMix& mix);

  // Weighted milli-GPU of the node that the mix can still use.
  std::int64_t Usable(const NodeShape& node) const;

 private:
  ShapeMix mix_;  // shapes that ask for a GPU
};

// The best GPUs for the task on this node; nothing if it does not fit. Between nodes the lowest
// loss wins; ties are the caller's (by a fixed order of nodes, so that work gathers on few).
std::optional<Spot> BestSpot(const Outlook& outlook, const NodeShape& node, const TaskShape& task);

}  // namespace yard::sched
