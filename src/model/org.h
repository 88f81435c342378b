// The organisation and the machines: clusters, node pools, nodes, departments, projects, quota.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "model/common.h"
#include "model/fairness.h"
#include "model/ids.h"

namespace yard {

// Quota of one resource in one node pool. No limit means unlimited; the weight decides the share
// of what nobody has a quota for (0: only if nobody else wants it).
template <class Amount>
struct Share {
  std::optional<Amount> deserved;                       // none: unlimited
  std::optional<Amount> limit;                          // none: unlimited
  std::optional<std::int64_t> over_quota_weight_milli;  // none: the default weight, 2
};

struct PoolQuota {
  NodePoolId pool;
  Share<MilliGpu> gpu;
  Share<MilliCpu> cpu;
  Share<Mebibytes> memory;
  std::string memory_units = "Mib";  // the unit the client speaks in
  std::optional<std::string> priority;
};

// Each rule in seconds; none: no rule.
struct SchedulingRules {
  std::optional<std::int64_t> interactive_time_limit;
  std::optional<std::int64_t> interactive_max_idle;
  std::optional<std::int64_t> interactive_preempt_idle;
  std::optional<std::int64_t> training_max_idle;
  std::optional<std::int64_t> training_time_limit;
};

struct NodeTypes {
  std::vector<std::string> training;
  std::vector<std::string> workspace;
  std::map<std::string, std::string> names;
};

// What departments and projects have in common.
struct OrgUnit {
  std::string name;
  std::string description;
  ClusterId cluster;
  std::vector<PoolQuota> resources;
  std::optional<SchedulingRules> rules;
  std::optional<std::vector<std::string>> default_pools;  // names in order; none: all, in id order
  std::optional<NodeTypes> node_types;
  // Seconds that its running work is safe from giving way to other queues, and to work of its own
  // project; none: as above, at the top as the cluster.
  std::optional<std::int64_t> reclaim_min_runtime;
  std::optional<std::int64_t> preempt_min_runtime;
  Stamp stamp;
};

struct Department : OrgUnit {
  using Id = DepartmentId;
  Id id;
  std::optional<Fairness> fairness;  // between its projects and users; none: as the cluster
};

// What members of a project may do with the work of another member, beyond seeing it. Those who
// may change the project may always do everything.
enum class WorkAccess : std::uint8_t {
  kTeam,     // everything that their role allows: enter, stop, delete
  kGuarded,  // stop and delete, as their role allows, but not enter
  kPrivate,  // nothing
};

struct Project : OrgUnit {
  using Id = ProjectId;
  Id id;
  DepartmentId department;
  std::optional<std::string> requested_namespace;
  std::optional<WorkAccess> work_access;  // none: kTeam
  // Where its work may run too, in this order, if `cluster` has no place for it now.
  std::vector<ClusterId> more_clusters;
};

// GPUs of a pool kept for a project's work during a window, for a deadline.
struct Reservation {
  using Id = ReservationId;
  Id id;
  std::string name;  // unique within its project
  ClusterId cluster;
  ProjectId project;
  MilliGpu gpu;
  std::optional<NodePoolId> pool;  // none: the first that the project's work tries
  Time start;
  Time end;  // after start
  // What the project has not taken so long after the start, or after its last work there ended,
  // is given back; none: never.
  std::optional<std::int64_t> release_after_seconds;
  Stamp stamp;
};

enum class Placement { kBinPack, kSpread };

struct NodePool {
  using Id = NodePoolId;
  Id id;
  std::string name;
  ClusterId cluster;
  std::string label_key;
  std::string label_value;
  std::int64_t over_provisioning_ratio_milli = 1000;
  Placement cpu_placement = Placement::kBinPack;
  Placement gpu_placement = Placement::kBinPack;
  bool is_default = false;
  Stamp stamp;
};

struct Cluster {
  using Id = ClusterId;
  Id id;
  std::string name;
  std::optional<std::string> domain;
  std::optional<std::string> version;
  std::string engine;  // what runs its work; empty: nothing is attached
  Stamp stamp;
};

enum class NodeStatus { kReady, kNotReady, kUnknown };

struct NodeCondition {
  std::string type;
  std::string reason;
  std::string message;
};

struct Taint {
  std::string key;
  std::string value;
  std::string effect;
};

// One device as an engine sees it. Its place in the node's list never changes.
struct NodeGpu {
  std::string uuid;
  std::string fault;      // empty: healthy
  MilliGpu usable{1000};  // less while processes of others hold a part of it
  Mebibytes memory = {};  // what programs can use of it; zero: the node's figure
  bool operator==(const NodeGpu&) const = default;
};

// An administrator's order that nothing new starts on a node.
struct Drain {
  std::string reason;
  std::string by;
  Time since;
  std::optional<Time> stop_at;  // what still runs there then is stopped; none: it runs to its end
  std::optional<Time> until;    // the node takes work again then; none: when somebody says so
};

struct Node {
  using Id = NodeId;
  Id id;
  std::string name;  // unique within its cluster
  ClusterId cluster;
  NodePoolId pool;
  NodeStatus status = NodeStatus::kUnknown;
  std::vector<NodeCondition> conditions;
  std::vector<Taint> taints;
  std::map<std::string, std::string> labels;
  std::optional<std::string> gpu_type;
  std::int64_t gpu_count = 0;
  bool gpus_declared = false;  // stated by an administrator, not seen by a driver
  Mebibytes gpu_memory;        // of one GPU
  MilliCpu cpu;
  Mebibytes memory;
  std::string engine;         // which one runs tasks on it; empty: stated only
  std::vector<NodeGpu> gpus;  // those an engine sees
  std::optional<Drain> drain;
  Stamp stamp;
};

}  // namespace yard
