#include "api/nodes/infra_views.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "control/commands/infra.h"

namespace yard::api {

wire::ClusterView ViewOf(const control::State& state, const control::WaitBoard& board,
                         const Cluster& cluster, Time now) {
  Ptr<Cluster> local = control::LocalCluster(state);
  const bool attached = (local && local->id == cluster.id) || !cluster.engine.empty();
  wire::ClusterView view{.cluster = &cluster, .state = "WaitingToConnect"};
  if (!attached) return view;
  const bool lost = board.Lost(cluster.id) != nullptr;
  view.state = lost ? "Disconnected" : "Connected";
  if (!lost) view.last_liveness = now;
  return view;
}

wire::NodePoolView ViewOf(const control::State& state, const NodePool& pool) {
  wire::NodePoolView view{.pool = &pool};
  if (Ptr<Cluster> cluster = state.Find<Cluster>(pool.cluster)) view.cluster_name = cluster->name;
  state.Of<Node>().Each([&](const Node& node) {
    if (node.pool == pool.id) view.nodes.push_back(node.name);
  });
  return view;
}

std::string PoolNameOf(const control::State& state, const Node& node) {
  Ptr<NodePool> pool = state.Find<NodePool>(node.pool);
  return pool ? pool->name : "";
}

wire::NodeNames NamesOf(const control::State& state, const Node& node) {
  Ptr<Cluster> cluster = state.Find<Cluster>(node.cluster);
  return {PoolNameOf(state, node), cluster ? cluster->name : ""};
}

bool SeesInside(const Call& call, Resource resource, ClusterId id) {
  ScopePath cluster{.cluster = id};
  control::Access access(call.state(), call.who());
  for (const ScopePath& path : access.Where(resource, Action::kRead)) {
    if (path.Covers(cluster) || cluster.Covers(path)) return true;
  }
  return false;
}

Status RequireInside(Call& call, ClusterId cluster) {
  if (!SeesInside(call, call.route().need.resource, cluster)) {
    return call.Require({.cluster = cluster});
  }
  call.NeedsNoScope();
  return {};
}

Result<ClusterId> ClusterIdOf(const Call& call) {
  if (std::optional<Uuid> id = ParseUuid(call.Path("clusterUuid"))) return ClusterId{*id};
  return Fail(Code::kNotFound, fmt::format("there is no cluster '{}'", call.Path("clusterUuid")));
}

Result<NodePoolId> NodePoolIdOf(const Call& call) {
  if (std::optional<std::int64_t> id = ParseInt(call.Path("nodepoolId"))) return NodePoolId{*id};
  return Fail(Code::kNotFound, fmt::format("there is no node pool '{}'", call.Path("nodepoolId")));
}

Result<NodeId> NodeIdOf(const Call& call) {
  if (std::optional<Uuid> id = ParseUuid(call.Path("nodeId"))) return NodeId{*id};
  return Fail(Code::kNotFound, fmt::format("there is no node '{}'", call.Path("nodeId")));
}

}  // namespace yard::api
