// Sums over nodes and quotas, for measurements and telemetry.
#pragma once

#include <optional>
#include <string_view>

#include "control/state/state.h"
#include "model/org.h"

namespace yard::api {

// Which nodes to count; a field that is not set leaves nothing out.
struct NodeFilter {
  std::optional<ClusterId> cluster = std::nullopt;
  std::optional<NodePoolId> pool = std::nullopt;
  std::optional<NodeId> node = std::nullopt;
  bool Takes(const Node& other) const;
};

struct NodeSums {
  double gpu_nodes = 0;
  double ready_gpu_nodes = 0;
  double gpus = 0;
  double ready_gpus = 0;
  double gpu_memory_bytes = 0;
  double cpu_cores = 0;
  double memory_bytes = 0;
};
NodeSums SumNodes(const control::State& state, const NodeFilter& filter);

// Quotas of one department or project, in one pool or in all. None: unlimited.
struct QuotaTotals {
  std::optional<double> gpus = 0;
  std::optional<double> millicores = 0;
  std::optional<double> megabytes = 0;
};
QuotaTotals SumQuota(const OrgUnit& unit, std::optional<NodePoolId> pool);

// As the contract counts: whole GPUs, and millions of bytes.
double Devices(MilliGpu amount);
double Megabytes(Mebibytes amount);

// The pool of that name, or null.
Ptr<NodePool> FindPool(const control::State& state, ClusterId cluster, std::string_view name);

}  // namespace yard::api
