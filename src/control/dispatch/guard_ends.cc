#include "control/dispatch/guard_ends.h"

#include <algorithm>

namespace yard::control {

void GuardEnds::Reset(const sched::Snapshot& snapshot, const sched::Policy& policy) {
  ends_.clear();
  guards_.clear();
  grows_after_ = policy.grow_min_runtime;
  const Guards usual{policy.reclaim_min_runtime, policy.preempt_min_runtime};
  // Parents come before their children.
  for (const sched::Queue& queue : snapshot.queues) {
    const bool top = queue.parent == sched::kNone<sched::QueueIndex>;
    const Guards above = top ? usual : guards_[static_cast<std::size_t>(queue.parent.value)];
    guards_.push_back({queue.reclaim_min_runtime.value_or(above[0]),
                       queue.preempt_min_runtime.value_or(above[1])});
  }
  for (const sched::Workload& workload : snapshot.workloads) {
    if (workload.state == sched::WorkloadState::kRunning) Add(workload);
  }
}

void GuardEnds::Add(const sched::Workload& running) {
  for (Micros guard : guards_[static_cast<std::size_t>(running.queue.value)]) {
    if (guard.value > 0) ends_.insert(running.started + guard);
  }
  const bool elastic = std::ranges::any_of(
      running.groups, [](const sched::TaskGroup& group) { return group.max_count > group.count; });
  if (elastic && grows_after_.value > 0) ends_.insert(running.started + grows_after_);
  if (running.rare->spared_until != Time{}) ends_.insert(running.rare->spared_until);
}

std::optional<Time> GuardEnds::NextAfter(Time now) {
  ends_.erase(ends_.begin(), ends_.upper_bound(now));
  return ends_.empty() ? std::nullopt : std::optional(*ends_.begin());
}

}  // namespace yard::control
