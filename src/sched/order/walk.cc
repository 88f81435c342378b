#include "sched/order/walk.h"

#include <algorithm>

namespace yard::sched {

Walk::Walk(Core& core, PoolIndex pool, std::span<const LineIndex> lines,
           std::vector<Cursor>& cursors)
    : core_(core),
      pool_(pool),
      shares_(core.Shares(pool)),
      guaranteed_(core.Guaranteed(pool)),
      cursors_(cursors),
      heaps_(core.order().size()) {
  for (LineIndex line : lines) At(core.waiting().At(line).lane).push_back(line.value);
  // Children have larger indices than their parents, so heads are known before they are compared.
  for (auto n = static_cast<std::int32_t>(heaps_.size()); n-- > 0;) {
    const OrderIndex node(n);
    if (At(node).empty()) continue;
    std::ranges::make_heap(At(node), Later(node));
    const OrderIndex parent = core.order().At(node).parent;
    if (parent != kNone<OrderIndex>) At(parent).push_back(n);
  }
}

std::optional<LineIndex> Walk::Top() const {
  if (At(OrderTree::kRoot).empty()) return std::nullopt;
  return HeadOf(OrderTree::kRoot);
}

LineIndex Walk::HeadOf(OrderIndex node) const {
  while (core_.order().At(node).kind != OrderNode::Kind::kLane) {
    node = OrderIndex(At(node).front());
  }
  return LineIndex(At(node).front());
}

void Walk::Renew(OrderIndex lane) {
  for (OrderIndex below = lane; below != OrderTree::kRoot;) {
    const OrderIndex node = core_.order().At(below).parent;
    Heap& heap = At(node);
    const OrderNode& at = core_.order().At(node);
    if (at.kind == OrderNode::Kind::kUsers && at.has_queues) {
      // What a user holds counts in every child whose next workload is of that user.
      if (At(below).empty()) std::erase(heap, below.value);
      std::ranges::make_heap(heap, Later(node));
      below = node;
      continue;
    }
    std::ranges::pop_heap(heap, Later(node));
    if (At(below).empty()) {
      heap.pop_back();
    } else {
      std::ranges::push_heap(heap, Later(node));
    }
    below = node;
  }
}

void Walk::Advance() {
  const LineIndex line = *Top();
  if (cursors_[static_cast<std::size_t>(line.value)].Done()) return Drop();
  const OrderIndex lane = core_.waiting().At(line).lane;
  std::ranges::pop_heap(At(lane), Later(lane));
  std::ranges::push_heap(At(lane), Later(lane));
  Renew(lane);
}

void Walk::Drop() {
  const OrderIndex lane = core_.waiting().At(*Top()).lane;
  std::ranges::pop_heap(At(lane), Later(lane));
  At(lane).pop_back();
  Renew(lane);
}

void Walk::Reorder(QueueIndex changed) {
  OrderIndex node = core_.order().ScopeOf(changed);
  for (; node != kNone<OrderIndex>; node = core_.order().At(node).parent) {
    if (!At(node).empty()) std::ranges::make_heap(At(node), Later(node));
  }
}

const JobKey& Walk::JobOf(LineIndex line) const {
  return *cursors_[static_cast<std::size_t>(line.value)].next;
}

const Resources& Walk::CostOfNext(LineIndex index) const {
  const Line& line = core_.waiting().At(index);
  const auto at = std::ranges::find(line.pools, pool_) - line.pools.begin();
  return line.costs[static_cast<std::size_t>(at)];
}

bool Walk::Before(OrderIndex parent, std::int32_t a, std::int32_t b) const {
  switch (core_.order().At(parent).kind) {
    case OrderNode::Kind::kLane:
      return LineBefore(parent, LineIndex(a), LineIndex(b));
    case OrderNode::Kind::kQueues:
      return QueueBefore(OrderIndex(a), OrderIndex(b));
    case OrderNode::Kind::kPeople:
      return TurnKeyOf(OrderIndex(a)) < TurnKeyOf(OrderIndex(b));
    case OrderNode::Kind::kUsers:
      return UserBefore(parent, OrderIndex(a), OrderIndex(b));
    case OrderNode::Kind::kOldest:
      return OlderBefore(OrderIndex(a), OrderIndex(b));
  }
  return false;
}

bool Walk::LineBefore(OrderIndex lane, LineIndex a, LineIndex b) const {
  if (core_.order().At(lane).fairness == Fairness::kNthGpu) {
    const bool a_cpu = CostOfNext(a).gpu.value == 0;
    const bool b_cpu = CostOfNext(b).gpu.value == 0;
    if (a_cpu != b_cpu) return a_cpu;
  }
  return JobOf(a) < JobOf(b);
}

QueueClaim Walk::ClaimOf(OrderIndex node) const {
  const QueueIndex queue = core_.order().At(node).queue;
  const QueueShare& rules = core_.RulesOf(queue, pool_);
  return {core_.ledger().At(queue, pool_).allocated,
          shares_[static_cast<std::size_t>(queue.value)],
          guaranteed_[static_cast<std::size_t>(queue.value)],
          CostOfNext(HeadOf(node)),
          rules.priority,
          core_.snapshot().queues[static_cast<std::size_t>(queue.value)].created,
          queue};
}

// Anyone's first GPU before anyone's second, then age. A person's own priorities order that
// person's work alone: they are no way to pass others.
Walk::UserKey Walk::UserKeyOf(OrderIndex users, OrderIndex child) const {
  const OrderNode& node = core_.order().At(child);
  const LineIndex line = HeadOf(child);
  const UserIndex user = core_.waiting().At(line).user;
  const bool own_lane = node.queue == core_.order().At(users).queue;
  const MilliGpu held = own_lane ? node.held : core_.order().HeldBelow(users, user);
  const MilliGpu wants = CostOfNext(line).gpu;
  const JobKey& job = JobOf(line);
  return {wants.value > 0, user == kNone<UserIndex>, wants.value == 0 ? 0 : (held + wants).value,
          job.created, job.id};
}

Walk::TurnKey Walk::TurnKeyOf(OrderIndex lane) const {
  const OrderNode& node = core_.order().At(lane);
  const LineIndex line = HeadOf(lane);
  const MilliGpu wants = CostOfNext(line).gpu;
  const JobKey& job = JobOf(line);
  const std::int64_t load = wants.value == 0 ? 0 : (node.held + wants).value * node.weigh_milli;
  return {job.rank, load, job.created, job.id};
}

bool Walk::OlderBefore(OrderIndex a, OrderIndex b) const {
  const auto key = [&](OrderIndex child) {
    const JobKey& job = JobOf(HeadOf(child));
    return std::tuple(job.created, job.id);
  };
  return key(a) < key(b);
}

}  // namespace yard::sched
