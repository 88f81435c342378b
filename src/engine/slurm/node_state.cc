#include "engine/slurm/node_state.h"

#include <algorithm>

#include "engine/slurm/plan.h"

namespace yard::engine::slurm {
namespace {

void AddLabels(NodeState& state, std::string_view kind, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    state.labels.emplace_back("slurm." + std::string(kind) + "." + name, "true");
}

}  // namespace

NodeState StateOf(const Node& node, const std::map<std::string, Mebibytes>& gpu_memory,
                  const OwnUse& own) {
  NodeState state;
  state.name = node.name;
  state.message = node.Trouble();
  state.ready = state.message.empty();
  state.cpu = MilliCpu(node.cpus * 1000);
  state.memory = node.memory;
  AddLabels(state, "partition", node.partitions);
  AddLabels(state, "feature", node.features);
  AddLabels(state, "reservation", node.reservations);
  auto ours = own.find(node.name);
  std::int64_t ours_left = ours == own.end() ? 0 : ours->second;
  std::string types;
  for (const GpuKind& kind : node.gpus) {
    if (!kind.type.empty()) types += (types.empty() ? "" : ",") + kind.type;
    auto memory = gpu_memory.find(kind.type);
    // Which GPUs others have is Slurm's business; that they are so many is ours.
    const std::int64_t ours_here = std::min(ours_left, kind.used);
    ours_left -= ours_here;
    const std::int64_t foreign = kind.used - ours_here;
    for (std::int64_t i = 0; i < kind.count; ++i) {
      GpuState gpu;
      gpu.uuid = GpuName(node.name, kind.type, i);
      gpu.model = kind.type.empty() ? "gpu" : kind.type;
      gpu.memory = memory == gpu_memory.end() ? Mebibytes(0) : memory->second;
      gpu.declared = true;
      const bool is_foreign = i >= kind.count - foreign;
      if (is_foreign) gpu.foreign = gpu.memory;
      if (is_foreign && gpu.memory.value == 0) gpu.fault = "a job outside Gpuyard has it";
      state.gpus.push_back(std::move(gpu));
    }
  }
  if (!types.empty()) state.labels.emplace_back("slurm.gres", types);
  return state;
}

}  // namespace yard::engine::slurm
