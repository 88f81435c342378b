#include "sched/order/order_tree.h"

#include <algorithm>

namespace yard::sched {
namespace {

using Kind = OrderNode::Kind;

bool IsFlat(Fairness fairness) {
  return fairness == Fairness::kNthGpu || fairness == Fairness::kFifo;
}

// What lies below each queue, and at the end below all of them.
struct Below {
  bool queues = false;
  bool choices = false;  // of a policy of their own
};

std::vector<Below> BelowEach(const Snapshot& snapshot) {
  const std::size_t root = snapshot.queues.size();
  std::vector<Below> below(root + 1);
  for (std::size_t q = root; q-- > 0;) {
    const Queue& queue = snapshot.queues[q];
    const bool top = queue.parent == kNone<QueueIndex>;
    Below& above = below[top ? root : static_cast<std::size_t>(queue.parent.value)];
    above.queues = true;
    above.choices = above.choices || below[q].choices || queue.fairness.has_value();
  }
  return below;
}

Kind KindFor(Fairness fairness, const Below& below, const Policy& policy) {
  if (fairness == Fairness::kNthGpu) return Kind::kUsers;
  if (fairness == Fairness::kFifo) return below.choices ? Kind::kOldest : Kind::kLane;
  if (below.queues) return Kind::kQueues;
  return policy.people == People::kByUse ? Kind::kPeople : Kind::kLane;
}

}  // namespace

OrderTree::OrderTree(const Snapshot& snapshot, const Policy& policy) {
  const std::vector<Below> below = BelowEach(snapshot);
  WeighPeople(snapshot, policy);
  const Kind kind =
      IsFlat(policy.fairness) ? KindFor(policy.fairness, below.back(), policy) : Kind::kQueues;
  AddNode({.kind = kind, .fairness = policy.fairness, .has_queues = below.back().choices});
  for (std::size_t q = 0; q < snapshot.queues.size(); ++q) {
    const Queue& queue = snapshot.queues[q];
    const OrderIndex above = queue.parent == kNone<QueueIndex> ? kRoot : ScopeOf(queue.parent);
    if (!queue.fairness && IsFlat(At(above).fairness)) {
      scope_.push_back(above);
      continue;
    }
    const Fairness fairness = queue.fairness.value_or(At(above).fairness);
    scope_.push_back(AddNode({.kind = KindFor(fairness, below[q], policy),
                              .fairness = fairness,
                              .queue = QueueIndex(static_cast<std::int32_t>(q)),
                              .parent = above,
                              .has_queues = below[q].choices}));
  }
}

// A person who has used as much as the average of the project counts double, one who has used
// nothing once.
void OrderTree::WeighPeople(const Snapshot& snapshot, const Policy& policy) {
  if (policy.people != People::kByUse) return;
  struct Sum {
    std::int64_t usage = 0;
    std::int64_t people = 0;
  };
  std::map<QueueIndex, Sum> sums;
  for (const PersonUse& use : snapshot.past_use) {
    sums[use.queue].usage += use.usage_millionths;
    ++sums[use.queue].people;
  }
  for (const PersonUse& use : snapshot.past_use) {
    const Sum& sum = sums[use.queue];
    if (sum.usage == 0) continue;
    const Wide part = static_cast<Wide>(use.usage_millionths) * sum.people * 1000;
    weigh_milli_[{use.queue, use.user}] = 1000 + static_cast<std::int64_t>(part / sum.usage);
  }
}

OrderIndex OrderTree::AddNode(const OrderNode& node) {
  nodes_.push_back(node);
  return OrderIndex(static_cast<std::int32_t>(nodes_.size()) - 1);
}

bool OrderTree::InOneFlatOrder(QueueIndex a, QueueIndex b) const {
  OrderIndex common = ScopeOf(a);
  OrderIndex other = ScopeOf(b);
  // Parents have smaller indices than their children.
  while (common != other) {
    OrderIndex& lower = common > other ? common : other;
    lower = At(lower).parent;
  }
  for (; common != kNone<OrderIndex>; common = At(common).parent) {
    if (IsFlat(At(common).fairness)) return true;
  }
  return false;
}

OrderIndex OrderTree::LaneIn(OrderIndex flat, UserIndex user) {
  const auto [at, fresh] = flat_lanes_.try_emplace({flat, user}, OrderIndex{});
  if (fresh) {
    at->second = AddNode({.kind = Kind::kLane,
                          .fairness = At(flat).fairness,
                          .queue = At(flat).queue,
                          .user = user,
                          .parent = flat});
    const auto weigh = weigh_milli_.find({At(flat).queue, user});
    if (At(flat).kind == Kind::kPeople && weigh != weigh_milli_.end()) {
      nodes_[static_cast<std::size_t>(at->second.value)].weigh_milli = weigh->second;
    }
  }
  return at->second;
}

OrderIndex OrderTree::LaneOf(QueueIndex queue, UserIndex user) {
  const OrderIndex scope = ScopeOf(queue);
  switch (At(scope).kind) {
    case Kind::kPeople:
    case Kind::kUsers:
      return LaneIn(scope, user);
    case Kind::kOldest:
      return LaneIn(scope, kNone<UserIndex>);
    case Kind::kQueues:
    case Kind::kLane:
      break;
  }
  return scope;
}

MilliGpu OrderTree::HeldBelow(OrderIndex users, UserIndex user) const {
  const auto lane = flat_lanes_.find({users, user});
  return lane == flat_lanes_.end() ? MilliGpu(0) : At(lane->second).held;
}

void OrderTree::Hold(QueueIndex queue, UserIndex user, MilliGpu change) {
  for (OrderIndex at = ScopeOf(queue); at != kNone<OrderIndex>; at = At(at).parent) {
    const bool counts =
        At(at).kind == Kind::kPeople || (At(at).kind == Kind::kUsers && user != kNone<UserIndex>);
    if (!counts) continue;
    nodes_[static_cast<std::size_t>(LaneIn(at, user).value)].held += change;
  }
}

}  // namespace yard::sched
