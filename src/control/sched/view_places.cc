// Places of work, from the names of nodes and devices to the scheduler's rows.
#include <algorithm>

#include "control/sched/view.h"

namespace yard::control {

// Ranks follow the groups: the master first, then the workers.
std::vector<sched::TaskPlacement> SchedView::TasksOf(const sched::Workload& row,
                                                     const std::vector<TaskPlace>& places) {
  std::vector<sched::TaskPlacement> tasks;
  std::size_t group = 0;
  std::int32_t left = row.groups[0].count;
  for (const TaskPlace& place : places) {
    while (left == 0 && group + 1 < row.groups.size()) left = row.groups[++group].count;
    sched::TaskPlacement& task = tasks.emplace_back(PlacementOf(tables_, place));
    task.group = static_cast<std::int32_t>(group);
    left = std::max(left - 1, 0);
  }
  return tasks;
}

// Whether the nodes and GPUs are still those of the tables.
bool SchedView::Knows(const std::vector<TaskPlace>& places) const {
  return std::ranges::all_of(places, [&](const TaskPlace& place) {
    auto node = tables_.nodes.find(place.node);
    if (node == tables_.nodes.end()) return false;
    const auto& uuids = tables_.gpus[static_cast<std::size_t>(node->second.value)];
    return std::ranges::all_of(place.gpus, [&](const std::string& uuid) {
      return std::ranges::find(uuids, uuid) != uuids.end();
    });
  });
}

void SchedView::AddHead(sched::Workload& row, WorkloadId id) {
  const std::optional<HeldPlace> head = promises_.HeadOf(id);
  if (head && Knows(head->places)) row.rare.Edit().head = {head->at, TasksOf(row, head->places)};
}

bool SchedView::LiesOnPromisedPlace(const Attempt& attempt) const {
  auto overlaps = [&](const TaskPlace& place) {
    return std::ranges::any_of(attempt.places, [&](const TaskPlace& own) {
      return own.node == place.node &&
             std::ranges::find_first_of(own.gpus, place.gpus) != own.gpus.end();
    });
  };
  return std::ranges::any_of(promises_.All(), [&](WorkloadId id) {
    const std::optional<Promise> promise = promises_.Of(id);
    return promise && std::ranges::any_of(promise->places, overlaps);
  });
}

}  // namespace yard::control
