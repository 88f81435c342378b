#include "control/commands/infra_nodes.h"

#include <fmt/format.h>

#include "base/check.h"
#include "control/commands/infra.h"

namespace yard::control {
namespace {

Status CheckNodeNameFree(const State& state, ClusterId cluster, const std::string& name) {
  Status status;
  state.Of<Node>().Each([&](const Node& other) {
    if (other.cluster != cluster || other.name != name) return true;
    status = Fail(Code::kConflict, fmt::format("a node named '{}' exists already", name),
                  "choose another name, or update the one that is there");
    return false;
  });
  return status;
}

void ApplyNodeDraft(Node& node, const NodeDraft& draft) {
  // Nobody has looked at the machine, so its status is unknown unless it is stated.
  node.status = draft.status.value_or(NodeStatus::kUnknown);
  node.taints = draft.taints;
  node.labels = draft.labels;
  node.gpu_type = draft.gpu_type;
  node.gpu_count = draft.gpu_count;
  node.gpu_memory = draft.gpu_memory;
  node.cpu = draft.cpu;
  node.memory = draft.memory;
  node.gpus_declared = true;
  node.conditions = {{.type = "Declared",
                      .reason = "StatedByAdministrator",
                      .message = "stated by an administrator, not seen by a driver"}};
}

Status CheckNodeDraft(const NodeDraft& draft) {
  if (draft.gpu_count > 0 && !draft.gpu_type) {
    return Fail(Code::kInvalid, "gpuType: say which GPUs the node has",
                "for example \"NVIDIA-H200\"");
  }
  return {};
}

// What an engine says of its machine is not an administrator's to state.
Status CheckSeenDraft(const Node& node, const NodeDraft& draft) {
  bool states = draft.status || draft.gpu_type || draft.gpu_count > 0 ||
                draft.gpu_memory.value > 0 || draft.cpu.value > 0 || draft.memory.value > 0;
  if (!states) return {};
  return Fail(Code::kInvalid,
              fmt::format("node '{}' is seen by the engine '{}', which says what it has", node.name,
                          node.engine),
              "send labels and taints alone");
}

constexpr std::size_t kMostLabels = 256;
constexpr std::size_t kLongestKey = 253;

Status CheckLabels(const Labels& labels) {
  if (labels.size() > kMostLabels) {
    return Fail(Code::kInvalid, fmt::format("a node has at most {} labels", kMostLabels));
  }
  for (const auto& [key, value] : labels) {
    bool odd = key.empty() || key.size() > kLongestKey || value.size() > kLongestKey ||
               key.find_first_of(" =,") != std::string::npos;
    if (!odd) continue;
    return Fail(Code::kInvalid, fmt::format("'{}={}' is no label", key, value),
                "write key=value, each up to 253 characters, the key without blanks and commas");
  }
  return {};
}

}  // namespace

Result<NodePoolId> PoolFor(const State& state, ClusterId cluster, const Labels& labels) {
  std::optional<NodePoolId> fallback;
  Ptr<NodePool> match;
  Status clash;
  state.Of<NodePool>().Each([&](const NodePool& pool) {
    if (pool.cluster != cluster) return;
    if (pool.is_default) fallback = pool.id;
    auto label = labels.find(pool.label_key);
    if (pool.is_default || label == labels.end() || label->second != pool.label_value) return;
    if (match) {
      clash = Fail(Code::kConflict,
                   fmt::format("node pools '{}' and '{}' would both match a node with labels "
                               "{}={} and {}={}",
                               match->name, pool.name, match->label_key, match->label_value,
                               pool.label_key, pool.label_value),
                   "a node belongs to one pool: change the label of the node or of one pool");
    }
    match = state.Find<NodePool>(pool.id);
  });
  YARD_TRY(clash);
  YARD_CHECK(match || fallback);
  return match ? match->id : *fallback;
}

Status ReassignNodes(Txn& txn, ClusterId cluster) {
  std::vector<Node> moved;
  Status status;
  txn.state().Of<Node>().Each([&](const Node& node) {
    if (node.cluster != cluster) return true;
    Result<NodePoolId> pool = PoolFor(txn.state(), cluster, node.labels);
    if (!pool) {
      Error error = pool.error();
      error.message = fmt::format("node '{}': {}", node.name, error.message);
      status = Fail(std::move(error));
      return false;
    }
    if (*pool == node.pool) return true;
    moved.push_back(node);
    moved.back().pool = *pool;
    return true;
  });
  YARD_TRY(status);
  for (Node& node : moved) {
    txn.Touch(node.stamp);
    txn.Put(std::move(node));
  }
  return {};
}

Result<Ptr<Node>> DeclareNode(Txn& txn, const NodeDraft& draft) {
  Ptr<Cluster> local = LocalCluster(txn.state());
  ClusterId cluster = draft.cluster.value_or(local ? local->id : ClusterId{});
  YARD_TRY(txn.Require(Resource::kCluster, Action::kUpdate, {.cluster = cluster}));
  if (!txn.state().Find<Cluster>(cluster)) {
    return Fail(Code::kInvalid,
                fmt::format("clusterId: there is no cluster {}", FormatUuid(cluster.value)),
                "see GET /api/v1/clusters for the ids");
  }
  YARD_TRY(CheckNodeDraft(draft));
  Node node{.id = NodeId{txn.NewUuid()}, .name = draft.name.value_or(""), .cluster = cluster};
  YARD_TRY(CheckNodeNameFree(txn.state(), cluster, node.name));
  ApplyNodeDraft(node, draft);
  YARD_ASSIGN(node.pool, PoolFor(txn.state(), cluster, node.labels));
  node.stamp = txn.NewStamp();
  return txn.Put(std::move(node));
}

Result<Ptr<Node>> RedeclareNode(Txn& txn, NodeId id, const NodeDraft& draft) {
  YARD_ASSIGN(Ptr<Node> current, GetNode(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kCluster, Action::kUpdate, {.cluster = current->cluster}));
  YARD_TRY(CheckNodeDraft(draft));
  Node node = *current;
  if (node.engine.empty()) {
    ApplyNodeDraft(node, draft);
  } else {
    YARD_TRY(CheckSeenDraft(node, draft));
    node.taints = draft.taints;
    node.labels = draft.labels;
  }
  YARD_ASSIGN(node.pool, PoolFor(txn.state(), node.cluster, node.labels));
  txn.Touch(node.stamp);
  return txn.Put(std::move(node));
}

Result<Ptr<Node>> LabelNode(Txn& txn, NodeId id, const LabelChange& change) {
  YARD_ASSIGN(Ptr<Node> current, GetNode(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kCluster, Action::kUpdate, {.cluster = current->cluster}));
  Node node = *current;
  for (const std::string& key : change.remove) node.labels.erase(key);
  for (const auto& [key, value] : change.set) node.labels[key] = value;
  YARD_TRY(CheckLabels(node.labels));
  if (node.labels == current->labels) return current;
  YARD_ASSIGN(node.pool, PoolFor(txn.state(), node.cluster, node.labels));
  txn.Touch(node.stamp);
  return txn.Put(std::move(node));
}

Status DeleteNode(Txn& txn, NodeId id) {
  YARD_ASSIGN(Ptr<Node> node, GetNode(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kCluster, Action::kUpdate, {.cluster = node->cluster}));
  txn.Erase<Node>(id);
  return {};
}

Result<Ptr<Node>> GetNode(const State& state, NodeId id) {
  if (Ptr<Node> node = state.Find<Node>(id)) return node;
  return Fail(Code::kNotFound, fmt::format("there is no node {}", FormatUuid(id.value)));
}

}  // namespace yard::control
