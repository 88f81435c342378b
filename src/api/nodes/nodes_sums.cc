#include "api/nodes/nodes_sums.h"

namespace yard::api {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

template <class Amount>
void AddQuota(std::optional<double>& total, const std::optional<Amount>& quota, double factor) {
  total = total && quota ? std::optional(*total + static_cast<double>(quota->value) * factor)
                         : std::nullopt;
}

}  // namespace

bool NodeFilter::Takes(const Node& other) const {
  return (!cluster || other.cluster == *cluster) && (!pool || other.pool == *pool) &&
         (!node || other.id == *node);
}

NodeSums SumNodes(const control::State& state, const NodeFilter& filter) {
  NodeSums sums;
  state.Of<Node>().Each([&](const Node& node) {
    if (!filter.Takes(node)) return;
    auto gpus = static_cast<double>(node.gpu_count);
    bool ready = node.status == NodeStatus::kReady;
    sums.gpu_nodes += gpus > 0 ? 1 : 0;
    sums.ready_gpu_nodes += gpus > 0 && ready ? 1 : 0;
    sums.gpus += gpus;
    sums.ready_gpus += ready ? gpus : 0;
    sums.gpu_memory_bytes += gpus * static_cast<double>(node.gpu_memory.value) * kMebibyte;
    sums.cpu_cores += static_cast<double>(node.cpu.value) / 1000;
    sums.memory_bytes += static_cast<double>(node.memory.value) * kMebibyte;
  });
  return sums;
}

QuotaTotals SumQuota(const OrgUnit& unit, std::optional<NodePoolId> pool) {
  QuotaTotals totals;
  for (const PoolQuota& quota : unit.resources) {
    if (pool && quota.pool != *pool) continue;
    AddQuota(totals.gpus, quota.gpu.deserved, 1e-3);
    AddQuota(totals.millicores, quota.cpu.deserved, 1);
    AddQuota(totals.megabytes, quota.memory.deserved, kMebibyte / 1e6);
  }
  return totals;
}

double Devices(MilliGpu amount) {
  return static_cast<double>(amount.value) / 1000;
}

double Megabytes(Mebibytes amount) {
  return static_cast<double>(amount.value) * kMebibyte / 1e6;
}

Ptr<NodePool> FindPool(const control::State& state, ClusterId cluster, std::string_view name) {
  Ptr<NodePool> found;
  state.Of<NodePool>().Each([&](const NodePool& pool) {
    if (pool.cluster != cluster || pool.name != name) return true;
    found = state.Find<NodePool>(pool.id);
    return false;
  });
  return found;
}

}  // namespace yard::api
