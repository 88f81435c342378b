// How a GPU is and what it is near to, as answers show it. Whatever is not known is left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/live.h"
#include "wire/writer.h"

namespace yard::api {

void WriteHealth(wire::Writer& w, const engine::GpuHealth& health);
void WriteLinks(wire::Writer& w, const std::vector<engine::GpuLink>& links);

// A GPU and the node it is on.
struct PlacedGpu {
  std::string node;
  engine::GpuState gpu;
};
// Their readings in the Prometheus text format. A reading that is not there has no line, and
// declared GPUs have none at all.
void WriteGpuMetrics(std::string& out, const std::vector<PlacedGpu>& gpus);

// What a workload that runs was last seen to use of its GPUs.
struct WorkloadGpuUse {
  std::string project;
  std::string workload;
  std::optional<Mebibytes> memory;
  GpuTime busy;  // since it started
};
void WriteWorkloadMetrics(std::string& out, const std::vector<WorkloadGpuUse>& uses);

}  // namespace yard::api
