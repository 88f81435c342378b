#include "demo/nodes.h"

#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "engine/sim/sim_world.h"

namespace yard::demo {
namespace {

struct Machine {
  std::string_view name;
  std::string_view pool;  // empty: the default one
  std::string_view model;
  int gpus = 0;
  std::int64_t gpu_gib = 0;
  std::int64_t cores = 0;
  std::int64_t memory_gib = 0;
};

constexpr std::array<Machine, kUsualNodes> kMachines = {{
    {"h100-1", "h100", "NVIDIA-H100-80GB-HBM3", 8, 80, 192, 2048},
    {"h100-2", "h100", "NVIDIA-H100-80GB-HBM3", 8, 80, 192, 2048},
    {"dgx-a100-1", "a100", "NVIDIA-A100-SXM4-80GB", 8, 80, 128, 1024},
    {"dgx-a100-2", "a100", "NVIDIA-A100-SXM4-80GB", 8, 80, 128, 1024},
    {"dgx-a100-3", "a100", "NVIDIA-A100-SXM4-80GB", 8, 80, 128, 1024},
    {"dgx-a100-4", "a100", "NVIDIA-A100-SXM4-80GB", 8, 80, 128, 1024},
    {"bench-1", "", "NVIDIA-GeForce-RTX-4090", 4, 24, 32, 256},
    {"bench-2", "", "NVIDIA-GeForce-RTX-4090", 4, 24, 32, 256},
    {"bench-3", "", "NVIDIA-GeForce-RTX-4090", 4, 24, 32, 256},
    {"bench-4", "", "NVIDIA-GeForce-RTX-4090", 4, 24, 32, 256},
    {"v100-1", "", "Tesla-V100-SXM2-32GB", 4, 32, 64, 512},
    {"cpu-1", "", "", 0, 0, 64, 512},
}};

engine::NodeState MakeNode(const Machine& machine, const std::string& name) {
  std::vector<engine::GpuState> gpus;
  gpus.reserve(static_cast<std::size_t>(machine.gpus));
  for (int i = 0; i < machine.gpus; ++i) {
    gpus.push_back({.uuid = fmt::format("GPU-sim-{}-{}", name, i),
                    .model = std::string(machine.model),
                    .memory = Mebibytes(machine.gpu_gib * 1024)});
  }
  engine::NodeState node = engine::SimNode(name, MilliCpu(machine.cores * 1000),
                                           Mebibytes(machine.memory_gib * 1024), gpus);
  // They have figures, all invented: the node says that it is simulated.
  for (engine::GpuState& gpu : node.gpus) gpu.declared = false;
  if (!machine.pool.empty()) node.labels.emplace_back(kPoolLabel, machine.pool);
  return node;
}

}  // namespace

std::vector<engine::NodeState> MakeNodes(std::size_t count) {
  std::vector<engine::NodeState> nodes;
  for (std::size_t i = 0; i < count; ++i) {
    const Machine& machine = kMachines[i % kMachines.size()];
    const std::size_t rack = i / kMachines.size();
    nodes.push_back(MakeNode(machine, rack == 0 ? std::string(machine.name)
                                                : fmt::format("r{}-{}", rack, machine.name)));
  }
  return nodes;
}

}  // namespace yard::demo
