// Commands on the machines: clusters, node pools, nodes.
//
// Invariants kept here: a cluster has exactly one default pool; a node is in the one pool whose
// label it carries, else in the default pool; no node matches two pools; every department and
// project of a cluster has a quota for each of its pools.
// Commands run on the reactor thread; lookups only read a State.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/org.h"

namespace yard::control {

struct ClusterDraft {
  std::string name;
  std::optional<std::string> domain;
  std::optional<std::string> version;
};

// Made with a default pool and a default department.
Result<Ptr<Cluster>> CreateCluster(Txn& txn, const ClusterDraft& draft);
Result<Ptr<Cluster>> RenameCluster(Txn& txn, ClusterId id, const std::string& name);
// Refused for the server's own cluster and while the cluster has projects.
Status DeleteCluster(Txn& txn, ClusterId id);

struct NodePoolDraft {
  std::optional<std::string> name;   // required to create, ignored by updates
  std::optional<ClusterId> cluster;  // the same
  std::optional<std::string> label_key;
  std::optional<std::string> label_value;
  std::optional<std::int64_t> over_provisioning_ratio_milli;
  std::optional<Placement> cpu_placement;
  std::optional<Placement> gpu_placement;
};

// The pool joins every department and project of its cluster: no GPU quota, the rest unlimited.
Result<Ptr<NodePool>> CreateNodePool(Txn& txn, const NodePoolDraft& draft);
// Fields that are not set stay as they are.
Result<Ptr<NodePool>> UpdateNodePool(Txn& txn, NodePoolId id, const NodePoolDraft& draft);
// Refused for a default pool. Its nodes move to the default pool, its quotas go.
Status DeleteNodePool(Txn& txn, NodePoolId id);

// A node as an administrator states it; nothing on it has been seen by a driver.
struct NodeDraft {
  std::optional<std::string> name;   // required to create, ignored by updates
  std::optional<ClusterId> cluster;  // none: the server's own
  std::optional<NodeStatus> status;
  std::vector<Taint> taints;
  std::map<std::string, std::string> labels;
  std::optional<std::string> gpu_type;
  std::int64_t gpu_count = 0;
  Mebibytes gpu_memory;
  MilliCpu cpu;
  Mebibytes memory;
};

Result<Ptr<Node>> DeclareNode(Txn& txn, const NodeDraft& draft);
// Replaces everything but name and cluster.
Result<Ptr<Node>> RedeclareNode(Txn& txn, NodeId id, const NodeDraft& draft);
Status DeleteNode(Txn& txn, NodeId id);

// Lookups that say what is missing.
Result<Ptr<Cluster>> GetCluster(const State& state, ClusterId id);
Result<Ptr<NodePool>> GetNodePool(const State& state, NodePoolId id);
Result<Ptr<Node>> GetNode(const State& state, NodeId id);
// The cluster this server runs itself, as opposed to one that still has to connect; or null.
Ptr<Cluster> LocalCluster(const State& state);

}  // namespace yard::control
