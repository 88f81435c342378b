#include "control/dispatch/node_sync.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/log.h"
#include "base/refuse.h"
#include "control/commands/infra.h"
#include "control/commands/infra_nodes.h"

namespace yard::control {
namespace {

constexpr std::int64_t kWhole = 1000;
constexpr std::int64_t kStep = 100;

// What is left of a device that others use, in tenths, so that it does not change all the time.
MilliGpu UsableOf(const engine::GpuState& gpu) {
  if (gpu.foreign.value <= 0 || gpu.memory.value <= 0) return MilliGpu(kWhole);
  std::int64_t taken = gpu.foreign.value * kWhole / gpu.memory.value;
  std::int64_t steps = taken / kStep + 1;
  return MilliGpu(std::max<std::int64_t>(0, kWhole - steps * kStep));
}

void TakeGpus(Node& node, const std::vector<engine::GpuState>& seen) {
  for (NodeGpu& gpu : node.gpus) {
    bool there = std::ranges::find(seen, gpu.uuid, &engine::GpuState::uuid) != seen.end();
    if (!there) gpu.fault = "not seen any more";
  }
  for (const engine::GpuState& gpu : seen) {
    auto row = std::ranges::find(node.gpus, gpu.uuid, &NodeGpu::uuid);
    if (row == node.gpus.end()) row = node.gpus.insert(row, {.uuid = gpu.uuid});
    row->fault = gpu.fault;
    row->usable = UsableOf(gpu);
    row->memory = gpu.memory;
  }
  node.gpu_count = static_cast<std::int64_t>(seen.size());
  node.gpus_declared = std::ranges::any_of(seen, &engine::GpuState::declared);
  if (seen.empty()) return;
  node.gpu_type = seen.front().model;
  node.gpu_memory = seen.front().memory;
}

void TakeStatus(Node& node, const engine::NodeState& seen) {
  node.status = seen.ready ? NodeStatus::kReady : NodeStatus::kNotReady;
  node.conditions = {{.type = "Ready",
                      .reason = seen.ready ? "EngineReady" : "EngineNotReady",
                      .message = seen.ready ? "runs tasks" : seen.message}};
  if (!node.gpus_declared) return;
  node.conditions.push_back(
      {.type = "Declared",
       .reason = "StatedInSettings",
       .message = "its GPUs are stated in the settings, not seen by a driver"});
}

bool IsSame(const NodeCondition& a, const NodeCondition& b) {
  return a.type == b.type && a.reason == b.reason && a.message == b.message;
}

// Whether a report changes nothing. A new field of Node does not compile before it is named here.
bool IsSame(const Node& a, const Node& b) {
  constexpr auto kReported = [](const Node& node) {
    const auto& [id, name, cluster, pool, status, conditions, taints, labels, gpu_type, gpu_count,
                 gpus_declared, gpu_memory, cpu, memory, engine, gpus, drain, stamp] = node;
    return std::tie(pool, status, labels, gpu_type, gpu_count, gpus_declared, gpu_memory, cpu,
                    memory, engine, gpus);
  };
  return kReported(a) == kReported(b) &&
         std::ranges::equal(a.conditions, b.conditions,
                            [](const auto& x, const auto& y) { return IsSame(x, y); });
}

void PutIfChanged(Txn& txn, Node node, const Ptr<Node>& before) {
  if (before && IsSame(node, *before)) return;
  txn.Touch(node.stamp);
  txn.Put(std::move(node));
}

void SyncNode(Txn& txn, const Ptr<Node>& before, Node node, const engine::NodeState& seen) {
  node.cpu = seen.cpu;
  node.memory = seen.memory;
  for (const auto& [key, value] : seen.labels) node.labels[key] = value;
  TakeGpus(node, seen.gpus);
  TakeStatus(node, seen);
  if (Result<NodePoolId> pool = PoolFor(txn.state(), node.cluster, node.labels)) {
    node.pool = *pool;
  } else {
    log::Warning("a node stays in its pool", {{"error", pool.error().message}});
  }
  PutIfChanged(txn, std::move(node), before);
}

void LoseNode(Txn& txn, const Ptr<Node>& before) {
  Node node = *before;
  node.status = NodeStatus::kNotReady;
  node.conditions = {{.type = "Ready",
                      .reason = "NotReported",
                      .message = "the engine does not report it any more"}};
  PutIfChanged(txn, std::move(node), before);
}

Status CheckTimes(const DrainOrder& order, Time now) {
  if (!order.until) return {};
  if (*order.until <= now) return RefuseFields({{"until", "is over already"}});
  if (order.stop_at && *order.until <= *order.stop_at)
    return RefuseFields({{"until", "must be after stopAt"}});
  return {};
}

}  // namespace

Status SyncNodes(Txn& txn, ClusterId cluster, const std::string& engine,
                 const std::vector<engine::NodeState>& seen) {
  std::vector<Ptr<Node>> known;
  txn.state().Of<Node>().Each([&](const Node& node) {
    if (node.cluster == cluster) known.push_back(txn.state().Find<Node>(node.id));
  });
  for (const engine::NodeState& state : seen) {
    auto same = std::ranges::find_if(known, [&](const auto& n) { return n->name == state.name; });
    Ptr<Node> before = same == known.end() ? nullptr : *same;
    Node node = before ? *before
                       : Node{.id = NodeId{txn.NewUuid()},
                              .name = state.name,
                              .cluster = cluster,
                              .stamp = txn.NewStamp()};
    if (!before) {
      YARD_ASSIGN(node.pool, PoolFor(txn.state(), cluster, {}));
    }
    node.engine = engine;
    SyncNode(txn, before, std::move(node), state);
  }
  for (const Ptr<Node>& node : known) {
    bool reported = std::ranges::find(seen, node->name, &engine::NodeState::name) != seen.end();
    if (node->engine == engine && !reported) LoseNode(txn, node);
  }
  return {};
}

void AttachEngine(Txn& txn, ClusterId id, const std::string& engine) {
  Ptr<Cluster> found = txn.state().Find<Cluster>(id);
  if (!found || found->engine == engine) return;
  Cluster cluster = *found;
  cluster.engine = engine;
  txn.Touch(cluster.stamp);
  txn.Put(std::move(cluster));
}

Result<Ptr<Node>> DrainNode(Txn& txn, NodeId id, DrainOrder order) {
  YARD_ASSIGN(Ptr<Node> current, GetNode(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kCluster, Action::kUpdate, {.cluster = current->cluster}));
  YARD_TRY(CheckTimes(order, txn.now()));
  Node node = *current;
  node.drain = Drain{std::move(order.reason), txn.who().id, txn.now(), order.stop_at, order.until};
  txn.Touch(node.stamp);
  return txn.Put(std::move(node));
}

Result<Ptr<Node>> ResumeNode(Txn& txn, NodeId id) {
  YARD_ASSIGN(Ptr<Node> current, GetNode(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kCluster, Action::kUpdate, {.cluster = current->cluster}));
  if (!current->drain) return current;
  Node node = *current;
  node.drain.reset();
  txn.Touch(node.stamp);
  return txn.Put(std::move(node));
}

void EndDrain(Txn& txn, NodeId id) {
  Ptr<Node> current = txn.state().Find<Node>(id);
  if (!current || !current->drain || !current->drain->until) return;
  if (txn.now() < *current->drain->until) return;
  Node node = *current;
  node.drain.reset();
  txn.Touch(node.stamp);
  txn.Put(std::move(node));
}

}  // namespace yard::control
