#include "sched/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace yard::sched {
namespace {

const std::string& NameOf(const Snapshot& snapshot, WorkloadIndex index) {
  return snapshot.workloads[static_cast<std::size_t>(index.value)].name;
}

const std::string& NameOf(const Snapshot& snapshot, NodeIndex index) {
  return snapshot.nodes[static_cast<std::size_t>(index.value)].name;
}

// "a", or "a x2, b" for several tasks.
std::string NodesOf(const Snapshot& snapshot, const std::vector<TaskPlacement>& tasks) {
  std::vector<std::pair<NodeIndex, int>> counts;
  for (const TaskPlacement& task : tasks) {
    const auto known = std::ranges::find(counts, task.node, &std::pair<NodeIndex, int>::first);
    if (known == counts.end()) {
      counts.emplace_back(task.node, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [node, count] : counts) {
    text += text.empty() ? "" : ", ";
    text += NameOf(snapshot, node);
    if (count > 1) text += fmt::format(" x{}", count);
  }
  return text;
}

const std::vector<TaskPlacement>& TasksOf(const Snapshot& snapshot, WorkloadIndex index) {
  return snapshot.workloads[static_cast<std::size_t>(index.value)].tasks;
}

void Erase(std::vector<TaskPlacement>& tasks, const TaskPlacement& task) {
  if (const auto at = std::ranges::find(tasks, task); at != tasks.end()) tasks.erase(at);
}

}  // namespace

bool IsWhole(const Eviction& eviction, const Snapshot& snapshot) {
  return eviction.tasks.size() == TasksOf(snapshot, eviction.victim).size();
}

std::vector<Restart> RestartsIn(const Plan& plan, const Snapshot& snapshot) {
  using enum Restart::Why;
  std::vector<Restart> restarts;
  for (const Eviction& eviction : plan.evictions) {
    if (IsWhole(eviction, snapshot)) continue;
    Restart& shrunk =
        restarts.emplace_back(Restart{eviction.victim, kShrink, eviction.for_whom, eviction.rule,
                                      TasksOf(snapshot, eviction.victim)});
    for (const TaskPlacement& gone : eviction.tasks) Erase(shrunk.tasks, gone);
  }
  for (const Move& move : plan.moves) {
    auto at = std::ranges::find(restarts, move.workload, &Restart::workload);
    if (at == restarts.end()) {
      restarts.push_back(
          {move.workload, kMove, move.for_whom, Rule::kReclaim, TasksOf(snapshot, move.workload)});
      at = restarts.end() - 1;
    }
    const auto task = std::ranges::find(at->tasks, move.from);
    if (task != at->tasks.end()) *task = move.to;
  }
  for (const Start& start : plan.starts) {
    if (start.kind != StartKind::kGrow) continue;
    Restart& grown =
        restarts.emplace_back(Restart{start.workload, kGrow, kNone<WorkloadIndex>, Rule::kReclaim,
                                      TasksOf(snapshot, start.workload)});
    grown.tasks.insert(grown.tasks.end(), start.tasks.begin(), start.tasks.end());
  }
  return restarts;
}

std::string Describe(const Plan& plan, const Snapshot& snapshot) {
  std::vector<std::string> steps;
  for (const Eviction& eviction : plan.evictions) {
    const auto& victim = snapshot.workloads[static_cast<std::size_t>(eviction.victim.value)];
    if (IsWhole(eviction, snapshot)) {
      steps.push_back("evict " + victim.name);
    } else {
      steps.push_back(fmt::format("shrink {} by {}", victim.name, eviction.tasks.size()));
    }
  }
  for (const Move& move : plan.moves) {
    steps.push_back(fmt::format("move {} from {} to {}", NameOf(snapshot, move.workload),
                                NameOf(snapshot, move.from.node), NameOf(snapshot, move.to.node)));
  }
  for (const Start& start : plan.starts) {
    steps.push_back(fmt::format("{} {} on {}", start.kind == StartKind::kGrow ? "grow" : "start",
                                NameOf(snapshot, start.workload), NodesOf(snapshot, start.tasks)));
  }
  return fmt::format("{}", fmt::join(steps, "; "));
}

}  // namespace yard::sched
