// The state behind a Scheduler: the snapshot and everything derived from it, kept in step.
//
// Invariant: everything derived equals what a fresh Core would derive from snapshot().
// Thread rule: one thread.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/result.h"
#include "sched/core/ledger.h"
#include "sched/core/node_table.h"
#include "sched/core/running.h"
#include "sched/core/waiting.h"
#include "sched/order/fair_share.h"
#include "sched/order/order_tree.h"
#include "sched/place/worth.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sched {

class Core {
 public:
  // The snapshot must have passed Validate.
  Core(Snapshot snapshot, Policy policy);

  const Snapshot& snapshot() const { return snapshot_; }
  const Policy& policy() const { return policy_; }
  const NodeTable& nodes() const { return nodes_; }
  const Ledger& ledger() const { return ledger_; }
  const OrderTree& order() const { return order_; }
  const Waiting& waiting() const { return waiting_; }
  const Running& running() const { return running_; }

  const Workload& At(WorkloadIndex index) const {
    return snapshot_.workloads[static_cast<std::size_t>(index.value)];
  }
  const TaskShape& ShapeAt(ShapeIndex index) const {
    return snapshot_.shapes[static_cast<std::size_t>(index.value)];
  }
  const QueueShare& RulesOf(QueueIndex queue, PoolIndex pool) const {
    return snapshot_.queues[static_cast<std::size_t>(queue.value)]
        .shares[static_cast<std::size_t>(pool.value)];
  }
  // Workloads with a promised place, and running ones that leave their place for one of them.
  const std::set<WorkloadIndex>& promised() const { return promised_; }
  const std::set<WorkloadIndex>& leaving() const { return leaving_; }
  bool IsAwaited(WorkloadIndex promised) const;
  // Pending workloads whose starts are protected.
  const std::set<WorkloadIndex>& heads() const { return heads_; }
  // Where it waits; none if it does not.
  LineIndex LineOf(WorkloadIndex index) const {
    return line_of_[static_cast<std::size_t>(index.value)];
  }
  // Fair shares in the pool by queue; computed when something changed since the last time.
  const std::vector<Resources>& Shares(PoolIndex pool) { return SharesOf(pool).fair; }
  // What no borrower may keep from them, likewise.
  const std::vector<Resources>& Guaranteed(PoolIndex pool) { return SharesOf(pool).guaranteed; }

  // What changed. Indices and states must be right: the Scheduler checks them.
  void SetNow(Time now) { snapshot_.now = now; }
  WorkloadIndex Add(Workload workload);
  void Remove(WorkloadIndex index);
  void Start(WorkloadIndex index, std::vector<TaskPlacement> tasks);
  void Promise(WorkloadIndex index, std::vector<TaskPlacement> tasks,
               std::span<const WorkloadIndex> victims);
  void Restart(WorkloadIndex index, std::vector<TaskPlacement> tasks);
  void Withdraw(WorkloadIndex index);
  void SetHeads(std::span<const Head> heads);
  void Stop(WorkloadIndex index);
  ShapeIndex Intern(TaskShape shape);
  void SetNodeState(NodeIndex node, NodeState state);
  void SetMoves(std::int32_t most) { policy_.max_moves = most; }
  void SetShare(QueueIndex queue, PoolIndex pool, const QueueShare& share);

  // Brings what judges placements in line with the workloads; before every decision.
  void Prepare() {
    if (worth_) worth_->Prepare(snapshot_);
  }

  // Temporary changes by a Trial, which takes all of them back.
  void Take(const TaskShape& shape, const TaskPlacement& at) { nodes_.Take(shape, at); }
  void Release(const TaskShape& shape, const TaskPlacement& at) { nodes_.Release(shape, at); }
  void Book(const Booking& booking, int sign);

 private:
  const PoolShares& SharesOf(PoolIndex pool);
  void Enter(WorkloadIndex index);
  void Leave(WorkloadIndex index);
  void EnterWaiting(WorkloadIndex index);
  void LeaveWaiting(WorkloadIndex index);
  void OccupyOrFree(const Workload& workload, int sign);
  void BookTasks(const Workload& workload, int sign);
  void SetLeaving(WorkloadIndex index, std::optional<WorkloadId> for_whom);
  void NoteUnused(const Workload& ended);
  void CountShapes(const Workload& workload, int sign);
  void RequestAll(const Line& line, int sign);
  void FillLine(LineIndex line, const Workload& workload);

  Snapshot snapshot_;
  Policy policy_;
  NodeTable nodes_;
  Ledger ledger_;
  OrderTree order_;
  Waiting waiting_;
  Running running_;
  std::unique_ptr<Worth> worth_;    // if some pool is fragmentation-aware
  std::vector<LineIndex> line_of_;  // by workload, while it waits
  std::vector<WorkloadIndex> free_slots_;
  std::set<WorkloadIndex> promised_;
  std::set<WorkloadIndex> leaving_;
  std::set<WorkloadIndex> heads_;
  std::vector<PoolShares> shares_;
  std::vector<bool> shares_stale_;
};

// What one workload of the spec costs in the pool, at its minimum size.
Resources CostIn(const Snapshot& snapshot, const NodeTable& nodes,
                 const std::vector<TaskGroup>& groups, PoolIndex pool);

Booking BookingOf(const Workload& workload, PoolIndex pool, const Resources& cost);

}  // namespace yard::sched
