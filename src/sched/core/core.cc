#include "sched/core/core.h"

#include <algorithm>

namespace yard::sched {
namespace {

JobKey KeyOf(WorkloadIndex index, const Workload& workload, Fairness fairness) {
  std::int64_t rank = -std::int64_t{workload.priority};
  if (fairness == Fairness::kNthGpu) rank = -std::int64_t{workload.user_priority};
  if (fairness == Fairness::kFifo) rank = 0;
  return {rank, workload.created, workload.id, index};
}

void ForgetHead(Workload& workload) {
  if (workload.rare->head) workload.rare.Edit().head.reset();
}

// It has left its place: what was about its stay there is over.
void EndStay(Workload& workload) {
  const Rare before = *workload.rare;
  workload.rare.Reset();
  if (before.spared_until == Time{} && before.idle_limit.value == 0) return;
  workload.rare.Edit().spared_until = before.spared_until;
  workload.rare.Edit().idle_limit = before.idle_limit;
}

}  // namespace

Resources CostIn(const Snapshot& snapshot, const NodeTable& nodes,
                 const std::vector<TaskGroup>& groups, PoolIndex pool) {
  Resources sum;
  for (const TaskGroup& group : groups) {
    sum += CostOf(snapshot.shapes[static_cast<std::size_t>(group.shape.value)], group.count,
                  nodes.SmallestGpu(pool));
  }
  return sum;
}

Booking BookingOf(const Workload& workload, PoolIndex pool, const Resources& cost) {
  return {
      workload.queue, workload.user,           pool,
      cost,           workload.preemptibility, workload.kind == WorkloadKind::kInteractive ? 1 : 0};
}

Core::Core(Snapshot snapshot, Policy policy)
    : snapshot_(std::move(snapshot)),
      policy_(policy),
      nodes_(snapshot_),
      ledger_(snapshot_),
      order_(snapshot_, policy_),
      running_(snapshot_, policy_),
      line_of_(snapshot_.workloads.size(), kNone<LineIndex>),
      shares_(snapshot_.pools.size()),
      shares_stale_(snapshot_.pools.size(), true) {
  const bool judged = std::ranges::any_of(snapshot_.pools, [](const Pool& pool) {
    return pool.gpu_strategy == Strategy::kFragmentation;
  });
  if (judged) worth_ = std::make_unique<Worth>(snapshot_);
  nodes_.SetWorth(worth_.get());
  for (std::size_t w = snapshot_.workloads.size(); w-- > 0;) {
    const auto index = WorkloadIndex(static_cast<std::int32_t>(w));
    if (At(index).state == WorkloadState::kGone) free_slots_.push_back(index);
  }
  for (std::size_t w = 0; w < snapshot_.workloads.size(); ++w) {
    Enter(WorkloadIndex(static_cast<std::int32_t>(w)));
  }
}

const PoolShares& Core::SharesOf(PoolIndex pool) {
  const auto p = static_cast<std::size_t>(pool.value);
  if (shares_stale_[p]) {
    shares_[p] = FairShares(snapshot_, policy_, ledger_, pool, nodes_.Total(pool));
    shares_stale_[p] = false;
  }
  return shares_[p];
}

void Core::Book(const Booking& booking, int sign) {
  ledger_.Allocate(booking, sign);
  order_.Hold(booking.queue, booking.user, booking.cost.gpu * sign);
}

void Core::OccupyOrFree(const Workload& workload, int sign) {
  for (const TaskPlacement& task : workload.tasks) {
    const TaskShape& shape = ShapeAt(workload.groups[static_cast<std::size_t>(task.group)].shape);
    if (sign > 0) {
      nodes_.Take(shape, task);
    } else {
      nodes_.Release(shape, task);
    }
  }
}

void Core::BookTasks(const Workload& workload, int sign) {
  const PoolIndex pool = PoolOf(snapshot_, workload);
  const Booking booking = BookingOf(workload, pool, CostOf(snapshot_, workload, workload.tasks));
  if (workload.state == WorkloadState::kRunning && workload.rare->head) {
    ledger_.Linger(booking, sign);
    // Its queue has it on its account as it will be.
    Book(BookingOf(workload, pool, CostOf(snapshot_, workload, workload.rare->head->tasks)), sign);
  } else if (workload.state == WorkloadState::kRunning && workload.rare->leaving_for) {
    ledger_.Linger(booking, sign);
    // It will wait again: shares count it as they will then, so that nobody takes twice.
    for (PoolIndex asked : PoolsOf(snapshot_, workload)) {
      ledger_.Request(workload.queue, asked, CostIn(snapshot_, nodes_, workload.groups, asked),
                      sign);
      shares_stale_[static_cast<std::size_t>(asked.value)] = true;
    }
  } else {
    Book(booking, sign);
  }
  shares_stale_[static_cast<std::size_t>(pool.value)] = true;
}

void Core::RequestAll(const Line& line, int sign) {
  for (std::size_t i = 0; i < line.pools.size(); ++i) {
    ledger_.Request(line.queue, line.pools[i], line.costs[i], sign);
    shares_stale_[static_cast<std::size_t>(line.pools[i].value)] = true;
  }
}

void Core::FillLine(LineIndex index, const Workload& workload) {
  Line& line = waiting_.At(index);
  line.pools = PoolsOf(snapshot_, workload);
  for (PoolIndex pool : line.pools) {
    line.costs.push_back(CostIn(snapshot_, nodes_, workload.groups, pool));
  }
}

void Core::EnterWaiting(WorkloadIndex index) {
  const Workload& workload = At(index);
  const OrderIndex lane = order_.LaneOf(workload.queue, workload.user);
  const LineIndex line_index = waiting_.LineOf(workload, lane);
  Line& line = waiting_.At(line_index);
  if (line.jobs.empty()) FillLine(line_index, workload);
  line.jobs.insert(line.jobs.end(), KeyOf(index, workload, order_.At(lane).fairness));
  line.first_id = line.jobs.begin()->id;
  line_of_[static_cast<std::size_t>(index.value)] = line_index;
  RequestAll(line, +1);
}

void Core::LeaveWaiting(WorkloadIndex index) {
  const Workload& workload = At(index);
  LineIndex& line_index = line_of_[static_cast<std::size_t>(index.value)];
  Line& line = waiting_.At(line_index);
  RequestAll(line, -1);
  line.jobs.erase(KeyOf(index, workload, order_.At(line.lane).fairness));
  if (!line.jobs.empty()) line.first_id = line.jobs.begin()->id;
  waiting_.DropIfEmpty(line_index);
  line_index = kNone<LineIndex>;
}

void Core::CountShapes(const Workload& workload, int sign) {
  if (!worth_ || workload.state < WorkloadState::kPending) return;
  for (const TaskGroup& group : workload.groups) worth_->Count(group.shape, sign * group.count);
}

void Core::Enter(WorkloadIndex index) {
  const Workload& workload = At(index);
  CountShapes(workload, +1);
  if (workload.state == WorkloadState::kPending) {
    EnterWaiting(index);
    if (workload.rare->head) heads_.insert(index);
  }
  if (workload.state == WorkloadState::kPromised) {
    BookTasks(workload, +1);
    promised_.insert(index);
  }
  if (workload.state == WorkloadState::kRunning) {
    OccupyOrFree(workload, +1);
    BookTasks(workload, +1);
    running_.Add(snapshot_, index);
    if (workload.rare->leaving_for) leaving_.insert(index);
  }
}

void Core::Leave(WorkloadIndex index) {
  const Workload& workload = At(index);
  CountShapes(workload, -1);
  heads_.erase(index);
  if (workload.state == WorkloadState::kPending) LeaveWaiting(index);
  if (workload.state == WorkloadState::kPromised) {
    promised_.erase(index);
    BookTasks(workload, -1);
  }
  if (workload.state == WorkloadState::kRunning) {
    leaving_.erase(index);
    running_.Remove(snapshot_, index);
    BookTasks(workload, -1);
    OccupyOrFree(workload, -1);
  }
}

WorkloadIndex Core::Add(Workload workload) {
  if (free_slots_.empty()) {
    free_slots_.push_back(WorkloadIndex(static_cast<std::int32_t>(snapshot_.workloads.size())));
    snapshot_.workloads.emplace_back();
    line_of_.push_back(kNone<LineIndex>);
  }
  const WorkloadIndex index = free_slots_.back();
  free_slots_.pop_back();
  snapshot_.workloads[static_cast<std::size_t>(index.value)] = std::move(workload);
  Enter(index);
  return index;
}

void Core::NoteUnused(const Workload& ended) {
  if (snapshot_.reservations.empty() || ended.state != WorkloadState::kRunning) return;
  // Reservations are of GPUs: what held none, such as work that is parked, did not use them.
  if (std::ranges::none_of(ended.tasks, [](auto& task) { return task.gpus != 0; })) return;
  const PoolIndex pool = PoolOf(snapshot_, ended);
  for (Reservation& reservation : snapshot_.reservations) {
    const auto path = ledger_.Path(ended.queue);
    const bool owner = std::ranges::find(path, reservation.queue) != path.end();
    if (owner && reservation.pool == pool) reservation.unused_since = snapshot_.now;
  }
}

void Core::Remove(WorkloadIndex index) {
  NoteUnused(At(index));
  Leave(index);
  Workload& slot = snapshot_.workloads[static_cast<std::size_t>(index.value)];
  slot = {};
  slot.state = WorkloadState::kGone;
  free_slots_.push_back(index);
}

void Core::Start(WorkloadIndex index, std::vector<TaskPlacement> tasks) {
  Workload& workload = snapshot_.workloads[static_cast<std::size_t>(index.value)];
  Leave(index);
  if (workload.state == WorkloadState::kRunning) {
    workload.tasks.insert(workload.tasks.end(), tasks.begin(), tasks.end());
  } else {
    workload.tasks = std::move(tasks);
    ForgetHead(workload);
    workload.started = snapshot_.now;
    workload.state = WorkloadState::kRunning;
  }
  Enter(index);
}

void Core::Promise(WorkloadIndex index, std::vector<TaskPlacement> tasks,
                   std::span<const WorkloadIndex> victims) {
  Workload& workload = snapshot_.workloads[static_cast<std::size_t>(index.value)];
  Leave(index);
  workload.tasks = std::move(tasks);
  ForgetHead(workload);
  workload.state = WorkloadState::kPromised;
  Enter(index);
  for (WorkloadIndex victim : victims) SetLeaving(victim, workload.id);
}

void Core::Restart(WorkloadIndex index, std::vector<TaskPlacement> tasks) {
  Workload& workload = snapshot_.workloads[static_cast<std::size_t>(index.value)];
  Leave(index);
  workload.rare.Edit().leaving_for = workload.id;
  workload.rare.Edit().head = {snapshot_.now, std::move(tasks)};
  Enter(index);
}

void Core::Withdraw(WorkloadIndex index) {
  Workload& workload = snapshot_.workloads[static_cast<std::size_t>(index.value)];
  Leave(index);
  workload.tasks.clear();
  workload.state = WorkloadState::kPending;
  Enter(index);
  const std::set<WorkloadIndex> leaving = leaving_;
  for (WorkloadIndex victim : leaving) {
    if (At(victim).rare->leaving_for == workload.id) SetLeaving(victim, std::nullopt);
  }
}

void Core::SetHeads(std::span<const Head> heads) {
  const auto at = [&](WorkloadIndex index) -> Workload& {
    return snapshot_.workloads[static_cast<std::size_t>(index.value)];
  };
  for (WorkloadIndex index : heads_) ForgetHead(at(index));
  heads_.clear();
  for (const Head& head : heads) {
    if (at(head.workload).state != WorkloadState::kPending) continue;
    at(head.workload).rare.Edit().head = head.start;
    heads_.insert(head.workload);
  }
}

void Core::SetLeaving(WorkloadIndex index, std::optional<WorkloadId> for_whom) {
  Leave(index);
  snapshot_.workloads[static_cast<std::size_t>(index.value)].rare.Edit().leaving_for = for_whom;
  Enter(index);
}

bool Core::IsAwaited(WorkloadIndex promised) const {
  const auto lies_there = [&](const TaskPlacement& task) {
    return std::ranges::find(At(promised).tasks, task.node, &TaskPlacement::node) !=
           At(promised).tasks.end();
  };
  return std::ranges::any_of(leaving_, [&](WorkloadIndex victim) {
    return std::ranges::any_of(At(victim).tasks, lies_there);
  });
}

void Core::Stop(WorkloadIndex index) {
  Workload& workload = snapshot_.workloads[static_cast<std::size_t>(index.value)];
  NoteUnused(workload);
  Leave(index);
  workload.tasks.clear();
  if (workload.rare->head) workload.tasks = std::move(workload.rare.Edit().head->tasks);
  EndStay(workload);
  workload.state = workload.tasks.empty() ? WorkloadState::kPending : WorkloadState::kPromised;
  Enter(index);
}

ShapeIndex Core::Intern(TaskShape shape) {
  for (std::size_t s = 0; s < snapshot_.shapes.size(); ++s) {
    if (snapshot_.shapes[s] == shape) return ShapeIndex(static_cast<std::int32_t>(s));
  }
  snapshot_.shapes.push_back(std::move(shape));
  const auto index = ShapeIndex(static_cast<std::int32_t>(snapshot_.shapes.size()) - 1);
  if (!nodes_.Learn(snapshot_, index)) *this = Core(std::move(snapshot_), policy_);
  return index;
}

void Core::SetShare(QueueIndex queue, PoolIndex pool, const QueueShare& share) {
  snapshot_.queues[static_cast<std::size_t>(queue.value)]
      .shares[static_cast<std::size_t>(pool.value)] = share;
  shares_stale_[static_cast<std::size_t>(pool.value)] = true;
}

void Core::SetNodeState(NodeIndex index, NodeState state) {
  Node& node = snapshot_.nodes[static_cast<std::size_t>(index.value)];
  node.state = state;
  nodes_.SetState(index, node);
  shares_stale_[static_cast<std::size_t>(node.pool.value)] = true;
}

}  // namespace yard::sched
