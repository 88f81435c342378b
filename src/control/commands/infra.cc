#include "control/commands/infra.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/commands/infra_nodes.h"
#include "control/commands/org.h"
#include "control/commands/reservations.h"

namespace yard::control {
namespace {

constexpr std::string_view kDefault = "default";

Status CheckClusterNameFree(const State& state, const std::string& name, ClusterId self) {
  Status status;
  state.Of<Cluster>().Each([&](const Cluster& other) {
    if (other.name != name || other.id == self) return true;
    status = Fail(Code::kConflict, fmt::format("a cluster named '{}' exists already", name),
                  "choose another name");
    return false;
  });
  return status;
}

// Pool names become parts of names elsewhere, where an underscore is not possible.
Status CheckPoolName(const std::string& name) {
  auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  bool fits = !name.empty() && name.size() <= 63 && name.front() != '-' && name.back() != '-';
  if (fits && std::ranges::all_of(name, good)) return {};
  return Fail(Code::kInvalid, fmt::format("name: '{}' cannot name a node pool", name),
              "use at most 63 lower-case letters, digits and dashes; no '_'");
}

Status CheckPoolFree(const State& state, const NodePool& pool) {
  Status status;
  state.Of<NodePool>().Each([&](const NodePool& other) {
    if (other.cluster != pool.cluster || other.id == pool.id) return true;
    if (other.name == pool.name) {
      status =
          Fail(Code::kConflict, fmt::format("a node pool named '{}' exists already", pool.name),
               "choose another name, or update the one that is there");
    } else if (!other.is_default && other.label_key == pool.label_key &&
               other.label_value == pool.label_value) {
      status = Fail(Code::kConflict,
                    fmt::format("node pool '{}' has the label {}={} already", other.name,
                                pool.label_key, pool.label_value),
                    "two pools must not match one node: choose another label");
    }
    return status.has_value();
  });
  return status;
}

void ApplyPoolDraft(NodePool& pool, const NodePoolDraft& draft) {
  pool.label_key = draft.label_key.value_or(pool.label_key);
  pool.label_value = draft.label_value.value_or(pool.label_value);
  pool.over_provisioning_ratio_milli =
      draft.over_provisioning_ratio_milli.value_or(pool.over_provisioning_ratio_milli);
  pool.cpu_placement = draft.cpu_placement.value_or(pool.cpu_placement);
  pool.gpu_placement = draft.gpu_placement.value_or(pool.gpu_placement);
}

// Everything of a kind in a cluster, so that it can be changed while the state is.
template <class T>
std::vector<T> AllIn(const State& state, ClusterId cluster) {
  std::vector<T> found;
  state.Of<T>().Each([&](const T& object) {
    if (object.cluster == cluster) found.push_back(object);
  });
  return found;
}

template <class Unit>
void AddPoolToAll(Txn& txn, const NodePool& pool) {
  PoolQuota quota{.pool = pool.id};
  quota.gpu.deserved = MilliGpu{0};
  for (Unit& unit : AllIn<Unit>(txn.state(), pool.cluster)) {
    unit.resources.push_back(quota);
    txn.Touch(unit.stamp);
    txn.Put(std::move(unit));
  }
}

template <class Unit>
void RemovePoolFromAll(Txn& txn, const NodePool& pool) {
  std::vector<Unit> found;  // projects of other clusters may have a quota there, too
  txn.state().Of<Unit>().Each([&](const Unit& unit) {
    const auto quota = std::ranges::find(unit.resources, pool.id, &PoolQuota::pool);
    if (unit.cluster == pool.cluster || quota != unit.resources.end()) found.push_back(unit);
  });
  for (Unit& unit : found) {
    std::erase_if(unit.resources, [&](const PoolQuota& q) { return q.pool == pool.id; });
    if (unit.default_pools && unit.cluster == pool.cluster)
      std::erase(*unit.default_pools, pool.name);
    txn.Touch(unit.stamp);
    txn.Put(std::move(unit));
  }
}

void MakeDefaults(Txn& txn, const Cluster& cluster) {
  NodePool pool{.id = NodePoolId{txn.Next("node-pool")},
                .name = std::string(kDefault),
                .cluster = cluster.id,
                .is_default = true,
                .stamp = txn.NewStamp()};
  Department department;
  department.id = DepartmentId{txn.Next("department")};
  department.name = kDefault;
  department.cluster = cluster.id;
  department.resources.push_back({.pool = pool.id, .gpu = {.deserved = MilliGpu{0}}});
  department.stamp = txn.NewStamp();
  txn.Put(std::move(pool));
  txn.Put(std::move(department));
}

template <class T>
void EraseAtScope(Txn& txn, const Scope& scope) {
  std::vector<typename T::Id> ids;
  txn.state().Of<T>().Each([&](const T& object) {
    if (object.scope == scope) ids.push_back(object.id);
  });
  for (const auto& id : ids) txn.Erase<T>(id);
}

// Access rules stay on record; from now on they grant nothing.
void EndRules(Txn& txn, const Scope& scope) {
  std::vector<AccessRule> ended;
  txn.state().Of<AccessRule>().Each([&](const AccessRule& rule) {
    if (rule.scope == scope && !rule.deleted_at) ended.push_back(rule);
  });
  for (AccessRule& rule : ended) {
    rule.deleted_at = txn.now();
    txn.Put(std::move(rule));
  }
}

Status CheckNotLent(const State& state, const Cluster& cluster) {
  Status status;
  state.Of<Project>().Each([&](const Project& project) {
    if (std::ranges::find(project.more_clusters, cluster.id) == project.more_clusters.end())
      return true;
    status = Fail(Code::kConflict,
                  fmt::format("project '{}' may use cluster '{}'", project.name, cluster.name),
                  "take the cluster out of the project's `clusters` first");
    return false;
  });
  return status;
}

}  // namespace

Result<Ptr<Cluster>> GetCluster(const State& state, ClusterId id) {
  if (Ptr<Cluster> cluster = state.Find<Cluster>(id)) return cluster;
  return Fail(Code::kNotFound, fmt::format("there is no cluster {}", FormatUuid(id.value)),
              "see GET /api/v1/clusters for the ids");
}

Result<Ptr<NodePool>> GetNodePool(const State& state, NodePoolId id) {
  if (Ptr<NodePool> pool = state.Find<NodePool>(id)) return pool;
  return Fail(Code::kNotFound, fmt::format("there is no node pool {}", id.value),
              "see GET /api/v1/node-pools for the ids");
}

Ptr<Cluster> LocalCluster(const State& state) {
  Ptr<Cluster> local;
  state.Of<Cluster>().Each([&](const Cluster& cluster) {
    if (cluster.stamp.created_by != SystemPrincipal().id) return true;
    local = state.Find<Cluster>(cluster.id);
    return false;
  });
  return local;
}

Result<Ptr<Cluster>> CreateCluster(Txn& txn, const ClusterDraft& draft) {
  YARD_TRY(txn.Require(Resource::kCluster, Action::kCreate, {}));
  YARD_TRY(CheckClusterNameFree(txn.state(), draft.name, {}));
  Ptr<Cluster> cluster = txn.Put(Cluster{.id = ClusterId{txn.NewUuid()},
                                         .name = draft.name,
                                         .domain = draft.domain,
                                         .version = draft.version,
                                         .stamp = txn.NewStamp()});
  MakeDefaults(txn, *cluster);
  return cluster;
}

Result<Ptr<Cluster>> RenameCluster(Txn& txn, ClusterId id, const std::string& name) {
  YARD_ASSIGN(Ptr<Cluster> current, GetCluster(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kCluster, Action::kUpdate, {.cluster = id}));
  YARD_TRY(CheckClusterNameFree(txn.state(), name, id));
  Cluster cluster = *current;
  cluster.name = name;
  txn.Touch(cluster.stamp);
  return txn.Put(std::move(cluster));
}

Status DeleteCluster(Txn& txn, ClusterId id) {
  YARD_ASSIGN(Ptr<Cluster> cluster, GetCluster(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kCluster, Action::kDelete, {.cluster = id}));
  if (Ptr<Cluster> local = LocalCluster(txn.state()); local && local->id == id) {
    return Fail(Code::kConflict, fmt::format("'{}' is this server's own cluster", cluster->name),
                "it cannot be deleted");
  }
  if (!cluster->engine.empty())
    return Fail(Code::kConflict, fmt::format("an engine is attached to '{}'", cluster->name),
                "remove the cluster from the server's settings and restart the server");
  YARD_TRY(CheckNotLent(txn.state(), *cluster));
  for (const Department& department : AllIn<Department>(txn.state(), id)) {
    YARD_TRY(DeleteDepartment(txn, department.id));
  }
  for (const Node& node : AllIn<Node>(txn.state(), id)) txn.Erase<Node>(node.id);
  for (const NodePool& pool : AllIn<NodePool>(txn.state(), id)) txn.Erase<NodePool>(pool.id);
  EndRules(txn, Scope::Of(id));
  EraseAtScope<Asset>(txn, Scope::Of(id));
  EraseAtScope<Policy>(txn, Scope::Of(id));
  txn.Erase<Cluster>(id);
  return {};
}

Result<Ptr<NodePool>> CreateNodePool(Txn& txn, const NodePoolDraft& draft) {
  NodePool pool{.name = draft.name.value_or(""), .cluster = draft.cluster.value_or(ClusterId{})};
  YARD_TRY(txn.Require(Resource::kNodePools, Action::kCreate, {.cluster = pool.cluster}));
  if (!txn.state().Find<Cluster>(pool.cluster)) {
    return Fail(Code::kInvalid,
                fmt::format("clusterId: there is no cluster {}", FormatUuid(pool.cluster.value)),
                "see GET /api/v1/clusters for the ids");
  }
  YARD_TRY(CheckPoolName(pool.name));
  ApplyPoolDraft(pool, draft);
  YARD_TRY(CheckPoolFree(txn.state(), pool));
  pool.id = NodePoolId{txn.Next("node-pool")};
  pool.stamp = txn.NewStamp();
  Ptr<NodePool> made = txn.Put(std::move(pool));
  YARD_TRY(ReassignNodes(txn, made->cluster));
  AddPoolToAll<Department>(txn, *made);
  AddPoolToAll<Project>(txn, *made);
  return made;
}

Result<Ptr<NodePool>> UpdateNodePool(Txn& txn, NodePoolId id, const NodePoolDraft& draft) {
  YARD_ASSIGN(Ptr<NodePool> current, GetNodePool(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kNodePools, Action::kUpdate, {.cluster = current->cluster}));
  if (current->is_default && (draft.label_key || draft.label_value)) {
    return Fail(Code::kInvalid, "labelKey: the default pool takes every node no other pool matches",
                "change the label of another pool");
  }
  NodePool pool = *current;
  ApplyPoolDraft(pool, draft);
  YARD_TRY(CheckPoolFree(txn.state(), pool));
  txn.Touch(pool.stamp);
  Ptr<NodePool> changed = txn.Put(std::move(pool));
  YARD_TRY(ReassignNodes(txn, changed->cluster));
  return changed;
}

Status DeleteNodePool(Txn& txn, NodePoolId id) {
  YARD_ASSIGN(Ptr<NodePool> pool, GetNodePool(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kNodePools, Action::kDelete, {.cluster = pool->cluster}));
  if (pool->is_default) {
    return Fail(Code::kConflict, "the default node pool cannot be deleted",
                "it holds every node that no other pool matches");
  }
  txn.Erase<NodePool>(id);
  YARD_TRY(ReassignNodes(txn, pool->cluster));
  RemovePoolFromAll<Department>(txn, *pool);
  RemovePoolFromAll<Project>(txn, *pool);
  EraseReservations(txn, [id](const Reservation& one) { return one.pool == id; });
  return {};
}

}  // namespace yard::control
