#include "sim/fragments.h"

#include <bit>
#include <vector>

namespace yard::sim {
namespace {

using sched::frag::NodeShape;
using sched::frag::ShapeMix;

constexpr int kCoverPercent = 95;

ShapeMix MixOf(std::span<const Job> jobs) {
  ShapeMix seen;
  for (const Job& job : jobs) {
    if (job.gpus_per_node == 0) continue;
    sched::frag::TaskShape shape{.cpu_milli = job.cpu_per_node.value,
                                 .memory_mib = job.memory_per_node.value};
    shape.gpu_count = static_cast<std::int16_t>(job.gpus_per_node);
    shape.gpu_milli = static_cast<std::int16_t>(job.gpu_each.value);
    seen.push_back({shape, job.nodes});
  }
  return sched::frag::TypicalShapes(seen, kCoverPercent);
}

std::vector<NodeShape> FreeOf(const sched::Snapshot& snapshot) {
  std::vector<NodeShape> nodes;
  for (const sched::Node& node : snapshot.nodes) {
    NodeShape& shape = nodes.emplace_back();
    if (node.state != sched::NodeState::kReady) continue;
    shape.cpu_milli = node.cpu.value;
    shape.memory_mib = node.memory.value;
    shape.gpu_count = static_cast<std::int16_t>(node.gpus.size());
    for (std::size_t g = 0; g < node.gpus.size(); ++g) {
      shape.gpu_milli[g] = static_cast<std::int16_t>(node.gpus[g].usable.value);
    }
  }
  for (const sched::Workload& workload : snapshot.workloads) {
    for (const sched::TaskPlacement& task : workload.tasks) {
      const auto group = static_cast<std::size_t>(task.group);
      const auto spec = static_cast<std::size_t>(workload.groups[group].shape.value);
      NodeShape& shape = nodes[static_cast<std::size_t>(task.node.value)];
      shape.cpu_milli -= snapshot.shapes[spec].cpu.value;
      shape.memory_mib -= snapshot.shapes[spec].memory.value;
      for (std::uint64_t rest = task.gpus; rest != 0; rest &= rest - 1) {
        auto& milli = shape.gpu_milli[static_cast<std::size_t>(std::countr_zero(rest))];
        milli = static_cast<std::int16_t>(milli - task.each.value);
      }
    }
  }
  return nodes;
}

}  // namespace

Fragments::Fragments(std::span<const Job> jobs) : Fragments(MixOf(jobs)) {}

Fragments::Fragments(ShapeMix mix) : rule_(mix) {
  for (const auto& typical : mix) weight_ += static_cast<double>(typical.weight);
}

double Fragments::PercentOf(const sched::Snapshot& snapshot) const {
  double free = 0;
  double fragment = 0;
  for (const NodeShape& node : FreeOf(snapshot)) {
    free += static_cast<double>(node.FreeMilli());
    fragment -= static_cast<double>(rule_.Worth(node));
  }
  return free == 0 || weight_ == 0 ? 0 : 100 * fragment / (free * weight_);
}

}  // namespace yard::sim
