// The incremental form of Schedule: holds a snapshot and the indexes derived from it, is told
// what changed, and decides without looking at everything again.
//
// Invariant: Decide() equals Schedule(snapshot(), policy). Decide changes nothing: a plan becomes
// true only by telling its steps (Start, Stop, ...) back.
//
// Thread rule: one thread.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "sched/plan.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sched {

class Core;

class Scheduler {
 public:
  static Result<Scheduler> Create(Snapshot snapshot, Policy policy);
  Scheduler(Scheduler&&) noexcept;
  Scheduler& operator=(Scheduler&&) noexcept;
  ~Scheduler();

  const Snapshot& snapshot() const;
  const Policy& policy() const;

  Plan Decide();

  // For Explain, WhatWouldHelp (explain/): they ask the same code and leave everything as it was.
  Core& core() { return *core_; }

  void SetNow(Time now);

  // Takes a free slot (or a new one) for a pending, held or running workload.
  Result<WorkloadIndex> Add(Workload workload);
  // The same workload with other properties; keeps its slot.
  Status Replace(WorkloadIndex at, Workload workload);
  // Ended or deleted: its slot becomes free.
  void Remove(WorkloadIndex at);
  // Pending to running on these tasks, or more tasks for a running elastic workload.
  Status Start(WorkloadIndex at, std::vector<TaskPlacement> tasks);
  // Pending to promised: it waits for these tasks' places, which the running victims leave for it.
  // What they hold is theirs until each is stopped or removed; their queues do without it at once.
  Status Promise(WorkloadIndex at, std::vector<TaskPlacement> tasks,
                 std::span<const WorkloadIndex> victims);
  // A running workload leaves its place for another of its own, which is held for it until then.
  Status Restart(WorkloadIndex at, std::vector<TaskPlacement> tasks);
  // Promised to pending: the promise cannot be kept, or is not wanted any more.
  void Withdraw(WorkloadIndex at);
  // The pending workloads whose starts are protected: these and no others.
  void SetHeads(std::span<const Head> heads);
  // Running to pending (evicted), all tasks free; to promised if another place is held for it.
  void Stop(WorkloadIndex at);

  ShapeIndex Intern(TaskShape shape);
  Status SetNodeState(NodeIndex node, NodeState state);
  // Changes of nodes, queues, users, pools or reservations: rebuilds what follows from them.
  Status Rebuild(Snapshot snapshot);

 private:
  explicit Scheduler(std::unique_ptr<Core> core);
  Status CheckRoom(const Workload& workload, std::span<const TaskPlacement> tasks);

  std::unique_ptr<Core> core_;
};

}  // namespace yard::sched
