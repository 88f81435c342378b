// The running workloads, as making room and the rules of time ask for them.
//
// Thread rule: one thread.
#pragma once

#include <compare>
#include <optional>
#include <set>
#include <vector>

#include "sched/plan.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sched {

// Whom to evict first: lower priority, then younger, then later id.
struct VictimKey {
  std::int32_t priority = 0;
  std::int64_t age_rank = 0;  // negated start
  std::int64_t id_rank = 0;   // negated id
  WorkloadIndex workload;
  auto operator<=>(const VictimKey&) const = default;
};

// When a rule of time ends a workload, and which.
struct Deadline {
  Time at;
  WorkloadId id;
  WorkloadIndex workload;
  Rule rule = Rule::kTimeLimit;
  auto operator<=>(const Deadline&) const = default;
};

std::optional<Deadline> DeadlineOf(WorkloadIndex index, const Workload& workload,
                                   const Policy& policy);

class Running {
 public:
  Running(const Snapshot& snapshot, const Policy& policy);

  void Add(const Snapshot& snapshot, WorkloadIndex index);
  void Remove(const Snapshot& snapshot, WorkloadIndex index);

  // Preemptible workloads of one queue in one pool.
  const std::set<VictimKey>& Victims(QueueIndex queue, PoolIndex pool) const {
    return victims_[Pos(queue, pool)];
  }
  // Whether some of them are elastic, and so may give up a part of what they have.
  bool AnyElastic(QueueIndex queue, PoolIndex pool) const { return elastic_[Pos(queue, pool)] > 0; }
  // Workloads with a task on the node, each once.
  const std::vector<WorkloadIndex>& On(NodeIndex node) const {
    return on_node_[static_cast<std::size_t>(node.value)];
  }
  const std::set<Deadline>& deadlines() const { return deadlines_; }
  // Elastic workloads below their maximum.
  const std::set<VictimKey>& growing() const { return growing_; }

 private:
  std::size_t Pos(QueueIndex queue, PoolIndex pool) const {
    return static_cast<std::size_t>(queue.value) * pool_count_ +
           static_cast<std::size_t>(pool.value);
  }

  Policy policy_;
  std::size_t pool_count_;
  std::vector<std::set<VictimKey>> victims_;
  std::vector<std::int32_t> elastic_;  // how many of them are
  std::vector<std::vector<WorkloadIndex>> on_node_;
  std::set<Deadline> deadlines_;
  std::set<VictimKey> growing_;
};

PoolIndex PoolOf(const Snapshot& snapshot, const Workload& running);

// Tasks of a group beyond its minimum.
std::int32_t SurplusOf(const Workload& running, std::int32_t group);

}  // namespace yard::sched
