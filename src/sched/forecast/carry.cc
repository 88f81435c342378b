#include "sched/forecast/carry.h"

#include <algorithm>

namespace yard::sched {
namespace {

bool EndsForGood(Rule rule) {
  return rule == Rule::kTimeLimit || rule == Rule::kIdle;
}

Status CarryEviction(Scheduler& scheduler, const Eviction& eviction) {
  Workload workload =
      scheduler.snapshot().workloads[static_cast<std::size_t>(eviction.victim.value)];
  if (EndsForGood(eviction.rule)) {
    scheduler.Remove(eviction.victim);
    return {};
  }
  if (eviction.tasks.size() == workload.tasks.size()) {
    scheduler.Stop(eviction.victim);
    return {};
  }
  for (const TaskPlacement& task : eviction.tasks) {
    const auto at = std::ranges::find(workload.tasks, task);
    if (at != workload.tasks.end()) workload.tasks.erase(at);
  }
  return scheduler.Replace(eviction.victim, std::move(workload));
}

// All moves together: a task may go where another, of any workload, has just left.
Status CarryMoves(Scheduler& scheduler, const std::vector<Move>& moves) {
  std::vector<std::pair<WorkloadIndex, Workload>> moved;
  for (const Move& move : moves) {
    auto at = std::ranges::find(moved, move.workload, &std::pair<WorkloadIndex, Workload>::first);
    if (at == moved.end()) {
      const auto row = static_cast<std::size_t>(move.workload.value);
      moved.emplace_back(move.workload, scheduler.snapshot().workloads[row]);
      at = moved.end() - 1;
    }
    auto task = std::ranges::find(at->second.tasks, move.from);  // tasks may share a GPU: only one
    if (task != at->second.tasks.end()) *task = move.to;
  }
  for (const auto& [index, workload] : moved) scheduler.Stop(index);
  for (auto& [index, workload] : moved) {
    YARD_TRY(scheduler.Replace(index, std::move(workload)));
  }
  return {};
}

}  // namespace

Status Carry(Scheduler& scheduler, const Plan& plan) {
  for (WorkloadIndex lapsed : plan.lapsed) scheduler.Withdraw(lapsed);
  for (const Eviction& eviction : plan.evictions) YARD_TRY(CarryEviction(scheduler, eviction));
  YARD_TRY(CarryMoves(scheduler, plan.moves));
  for (const Start& start : plan.starts) {
    YARD_TRY(scheduler.Start(start.workload, start.tasks));
  }
  scheduler.SetHeads(plan.heads);
  return {};
}

}  // namespace yard::sched
