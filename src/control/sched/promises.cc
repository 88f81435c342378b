#include "control/sched/promises.h"

#include <utility>

namespace yard::control {

void Promises::Make(Promise promise) {
  Drop(promise.workload);
  std::lock_guard lock(mutex_);
  for (AttemptId victim : promise.victims) leaves_for_[victim] = promise.workload;
  const WorkloadId id = promise.workload;
  promises_.emplace(id, std::move(promise));
}

std::optional<Promise> Promises::Drop(WorkloadId workload) {
  std::lock_guard lock(mutex_);
  auto at = promises_.find(workload);
  if (at == promises_.end()) return std::nullopt;
  Promise dropped = std::move(at->second);
  promises_.erase(at);
  for (AttemptId victim : dropped.victims) leaves_for_.erase(victim);
  return dropped;
}

std::optional<Promise> Promises::Of(WorkloadId workload) const {
  std::lock_guard lock(mutex_);
  auto at = promises_.find(workload);
  return at == promises_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<WorkloadId> Promises::LeavesFor(AttemptId victim) const {
  std::lock_guard lock(mutex_);
  auto at = leaves_for_.find(victim);
  return at == leaves_for_.end() ? std::nullopt : std::optional(at->second);
}

std::vector<WorkloadId> Promises::All() const {
  std::lock_guard lock(mutex_);
  std::vector<WorkloadId> all;
  for (const auto& [workload, promise] : promises_) all.push_back(workload);
  return all;
}

void Promises::SetHeads(std::unordered_map<WorkloadId, HeldPlace> heads) {
  std::lock_guard lock(mutex_);
  heads_ = std::move(heads);
}

std::optional<HeldPlace> Promises::HeadOf(WorkloadId workload) const {
  std::lock_guard lock(mutex_);
  auto at = heads_.find(workload);
  return at == heads_.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace yard::control
