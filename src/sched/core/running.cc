#include "sched/core/running.h"

#include <algorithm>

namespace yard::sched {
namespace {

VictimKey KeyOf(WorkloadIndex index, const Workload& workload) {
  return {workload.priority, -workload.started.micros, -workload.id.value, index};
}

bool CanGrow(const Workload& workload) {
  for (std::size_t g = 0; g < workload.groups.size(); ++g) {
    const TaskGroup& group = workload.groups[g];
    if (group.max_count <= group.count) continue;
    if (group.count + SurplusOf(workload, static_cast<std::int32_t>(g)) < group.max_count) {
      return true;
    }
  }
  return false;
}

bool IsElastic(const Workload& workload) {
  return std::ranges::any_of(workload.groups,
                             [](const TaskGroup& group) { return group.max_count > 0; });
}

}  // namespace

std::optional<Deadline> DeadlineOf(WorkloadIndex index, const Workload& workload,
                                   const Policy& policy) {
  std::optional<Deadline> first;
  const auto consider = [&](Time at, Rule rule) {
    const Deadline next{at, workload.id, index, rule};
    if (!first || next < *first) first = next;
  };
  if (workload.time_limit.value > 0) {
    consider(workload.started + workload.time_limit, Rule::kTimeLimit);
  }
  const Rare& rare = *workload.rare;
  if (rare.idle_since && rare.idle_limit.value > 0) {
    consider(*rare.idle_since + rare.idle_limit, Rule::kIdle);
  }
  if (rare.stale_since && policy.stale_gang_after.value >= 0) {
    consider(*rare.stale_since + policy.stale_gang_after, Rule::kStaleGang);
  }
  return first;
}

PoolIndex PoolOf(const Snapshot& snapshot, const Workload& running) {
  return snapshot.nodes[static_cast<std::size_t>(running.tasks.front().node.value)].pool;
}

std::int32_t SurplusOf(const Workload& running, std::int32_t group) {
  const auto has = std::ranges::count(running.tasks, group, &TaskPlacement::group);
  const TaskGroup& wanted = running.groups[static_cast<std::size_t>(group)];
  return std::max(static_cast<std::int32_t>(has) - wanted.count, 0);
}

Running::Running(const Snapshot& snapshot, const Policy& policy)
    : policy_(policy),
      pool_count_(snapshot.pools.size()),
      victims_(snapshot.queues.size() * snapshot.pools.size()),
      elastic_(victims_.size()),
      on_node_(snapshot.nodes.size()) {}

void Running::Add(const Snapshot& snapshot, WorkloadIndex index) {
  const Workload& workload = snapshot.workloads[static_cast<std::size_t>(index.value)];
  for (const TaskPlacement& task : workload.tasks) {
    auto& here = on_node_[static_cast<std::size_t>(task.node.value)];
    if (std::ranges::find(here, index) == here.end()) here.push_back(index);
  }
  if (workload.preemptibility == Preemptibility::kPreemptible) {
    const std::size_t at = Pos(workload.queue, PoolOf(snapshot, workload));
    victims_[at].insert(KeyOf(index, workload));
    elastic_[at] += IsElastic(workload) ? 1 : 0;
  }
  if (const auto deadline = DeadlineOf(index, workload, policy_)) deadlines_.insert(*deadline);
  if (CanGrow(workload)) growing_.insert(KeyOf(index, workload));
}

void Running::Remove(const Snapshot& snapshot, WorkloadIndex index) {
  const Workload& workload = snapshot.workloads[static_cast<std::size_t>(index.value)];
  for (const TaskPlacement& task : workload.tasks) {
    std::erase(on_node_[static_cast<std::size_t>(task.node.value)], index);
  }
  const std::size_t at = Pos(workload.queue, PoolOf(snapshot, workload));
  if (victims_[at].erase(KeyOf(index, workload)) > 0) elastic_[at] -= IsElastic(workload) ? 1 : 0;
  if (const auto deadline = DeadlineOf(index, workload, policy_)) deadlines_.erase(*deadline);
  growing_.erase(KeyOf(index, workload));
}

}  // namespace yard::sched
