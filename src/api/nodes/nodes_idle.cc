#include "api/nodes/nodes_idle.h"

#include <set>

namespace yard::api {
namespace {

// Less than this is what drivers and desktops make by themselves.
constexpr std::int32_t kBusyPercent = 3;

std::set<std::string, std::less<>> HeldGpus(const control::State& state) {
  std::set<std::string, std::less<>> held;
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    if (!HoldsGpus(*attempt)) return;
    for (const TaskPlace& place : attempt->places)
      held.insert(place.gpus.begin(), place.gpus.end());
  });
  return held;
}

struct NodeCount {
  std::int64_t held = 0;
  std::int64_t measured = 0;  // of those held
  std::int64_t idle = 0;      // of those measured
};

NodeCount CountOn(const engine::NodeState& node, const std::set<std::string, std::less<>>& held) {
  NodeCount count;
  for (const engine::GpuState& gpu : node.gpus) {
    if (!held.contains(gpu.uuid)) continue;
    ++count.held;
    if (gpu.declared || !gpu.busy_percent) continue;
    ++count.measured;
    if (*gpu.busy_percent < kBusyPercent) ++count.idle;
  }
  return count;
}

}  // namespace

IdleByNode CountIdle(const control::State& state, const std::vector<engine::NodeState>& nodes) {
  const std::set<std::string, std::less<>> held = HeldGpus(state);
  IdleByNode counts;
  std::vector<std::string> without;
  bool all_known = true;
  for (const engine::NodeState& node : nodes) {
    const NodeCount count = CountOn(node, held);
    if (count.measured > 0) counts[node.name] = count.idle;
    if (count.held == 0) without.push_back(node.name);
    all_known = all_known && (count.measured > 0 || count.held == 0);
  }
  for (const std::string& name : without) {
    if (all_known) counts[name] = 0;
  }
  return counts;
}

}  // namespace yard::api
