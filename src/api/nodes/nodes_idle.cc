#include "api/nodes/nodes_idle.h"

#include <set>

namespace yard::api {
namespace {

// Less than this is what drivers and desktops make by themselves.
constexpr std::int32_t kBusyPercent = 3;

using Devices = std::set<std::pair<ClusterId, std::string>>;

Devices HeldGpus(const control::State& state) {
  Devices held;
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    Ptr<Workload> workload = state.Find<Workload>(attempt->workload);
    if (!workload || !HoldsGpus(*attempt)) return;
    for (const TaskPlace& place : attempt->places) {
      for (const std::string& uuid : place.gpus) held.insert({workload->host(), uuid});
    }
  });
  return held;
}

struct NodeCount {
  std::int64_t held = 0;
  std::int64_t measured = 0;  // of those held
  std::int64_t idle = 0;      // of those measured
};

NodeCount CountOn(const control::LiveNode& node, const Devices& held) {
  NodeCount count;
  for (const engine::GpuState& gpu : node.gpus) {
    if (!held.contains({node.cluster, gpu.uuid})) continue;
    ++count.held;
    if (gpu.declared || !gpu.busy_percent) continue;
    ++count.measured;
    if (*gpu.busy_percent < kBusyPercent) ++count.idle;
  }
  return count;
}

}  // namespace

IdleByNode CountIdle(const control::State& state, const std::vector<control::LiveNode>& nodes) {
  const Devices held = HeldGpus(state);
  IdleByNode counts;
  std::vector<std::pair<ClusterId, std::string>> without;
  bool all_known = true;
  for (const control::LiveNode& node : nodes) {
    const NodeCount count = CountOn(node, held);
    if (count.measured > 0) counts[{node.cluster, node.name}] = count.idle;
    if (count.held == 0) without.emplace_back(node.cluster, node.name);
    all_known = all_known && (count.measured > 0 || count.held == 0);
  }
  for (const auto& node : without) {
    if (all_known) counts[node] = 0;
  }
  return counts;
}

}  // namespace yard::api
