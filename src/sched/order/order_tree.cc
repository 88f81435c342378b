#include "sched/order/order_tree.h"

#include <algorithm>

namespace yard::sched {
namespace {

bool IsFlat(Fairness fairness) {
  return fairness == Fairness::kNthGpu || fairness == Fairness::kFifo;
}

OrderNode::Kind FlatKind(Fairness fairness) {
  return fairness == Fairness::kNthGpu ? OrderNode::Kind::kUsers : OrderNode::Kind::kLane;
}

}  // namespace

OrderTree::OrderTree(const Snapshot& snapshot, const Policy& policy) {
  std::vector<bool> has_children(snapshot.queues.size());
  for (const Queue& queue : snapshot.queues) {
    if (queue.parent != kNone<QueueIndex>) {
      has_children[static_cast<std::size_t>(queue.parent.value)] = true;
    }
  }
  const bool chosen = std::ranges::any_of(
      snapshot.queues, [](const Queue& queue) { return queue.fairness.has_value(); });
  OrderNode root{.fairness = policy.fairness};
  if (!chosen && IsFlat(policy.fairness)) root.kind = FlatKind(policy.fairness);
  AddNode(root);
  for (std::size_t q = 0; q < snapshot.queues.size(); ++q) {
    const Queue& queue = snapshot.queues[q];
    const OrderIndex above = queue.parent == kNone<QueueIndex>
                                 ? kRoot
                                 : scope_[static_cast<std::size_t>(queue.parent.value)];
    if (At(above).kind != OrderNode::Kind::kQueues) {
      scope_.push_back(above);
      continue;
    }
    OrderNode node{.fairness = queue.fairness.value_or(At(above).fairness),
                   .queue = QueueIndex(static_cast<std::int32_t>(q)),
                   .parent = above};
    if (IsFlat(node.fairness)) {
      node.kind = FlatKind(node.fairness);
    } else if (!has_children[q]) {
      node.kind = OrderNode::Kind::kLane;
    }
    scope_.push_back(AddNode(node));
  }
}

OrderIndex OrderTree::AddNode(const OrderNode& node) {
  nodes_.push_back(node);
  return OrderIndex(static_cast<std::int32_t>(nodes_.size()) - 1);
}

bool OrderTree::InOneFlatOrder(QueueIndex a, QueueIndex b) const {
  return ScopeOf(a) == ScopeOf(b) && IsFlat(At(ScopeOf(a)).fairness);
}

OrderIndex OrderTree::LaneOf(QueueIndex queue, UserIndex user) {
  const OrderIndex scope = scope_[static_cast<std::size_t>(queue.value)];
  if (At(scope).kind != OrderNode::Kind::kUsers) return scope;
  const auto [at, fresh] = user_lanes_.try_emplace({scope, user}, OrderIndex{});
  if (fresh) {
    at->second = AddNode({.kind = OrderNode::Kind::kLane,
                          .fairness = Fairness::kNthGpu,
                          .queue = At(scope).queue,
                          .user = user,
                          .parent = scope});
  }
  return at->second;
}

void OrderTree::Hold(QueueIndex queue, UserIndex user, MilliGpu change) {
  const OrderIndex scope = scope_[static_cast<std::size_t>(queue.value)];
  if (At(scope).kind != OrderNode::Kind::kUsers || user == kNone<UserIndex>) return;
  nodes_[static_cast<std::size_t>(LaneOf(queue, user).value)].held += change;
}

}  // namespace yard::sched
