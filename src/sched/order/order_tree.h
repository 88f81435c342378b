// Who is compared with whom: the queues as the fairness policies see them.
//
// Under fair share every queue is a node and its waiting workloads a lane. Where a policy without
// quota order rules (nth GPU, FIFO), everything below that queue is flat: one lane per user, or
// one lane. If no queue chooses a policy of its own, the cluster's policy rules from the root.
//
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sched {

using OrderIndex = StrongId<struct OrderIndexTag, std::int32_t>;

struct OrderNode {
  enum class Kind : std::uint8_t {
    kQueues,  // children compared by queue order
    kUsers,   // children are lanes of users, compared by nth GPU
    kLane,    // workloads
  };
  Kind kind = Kind::kQueues;
  Fairness fairness = Fairness::kFairShare;
  QueueIndex queue = kNone<QueueIndex>;  // the root has none
  UserIndex user = kNone<UserIndex>;     // of a user's lane
  OrderIndex parent = kNone<OrderIndex>;
  MilliGpu held{0};  // of a user's lane: GPUs the user holds below this queue
};

class OrderTree {
 public:
  OrderTree(const Snapshot& snapshot, const Policy& policy);

  static constexpr OrderIndex kRoot{0};
  const OrderNode& At(OrderIndex node) const {
    return nodes_[static_cast<std::size_t>(node.value)];
  }
  std::size_t size() const { return nodes_.size(); }

  // The lane in which a workload of this queue and user waits.
  OrderIndex LaneOf(QueueIndex queue, UserIndex user);
  // The node that stands for a queue: its own, or the flat one it lies under.
  OrderIndex ScopeOf(QueueIndex queue) const {
    return scope_[static_cast<std::size_t>(queue.value)];
  }
  // Whether one flat order (first come, nth GPU) ranks the work of both queues. Shares and
  // priorities do not count in it, so nothing may be taken for their sake: the order would only
  // start again what was stopped.
  bool InOneFlatOrder(QueueIndex a, QueueIndex b) const;
  // Books GPUs that a user starts or stops to hold.
  void Hold(QueueIndex queue, UserIndex user, MilliGpu change);

 private:
  OrderIndex AddNode(const OrderNode& node);

  std::vector<OrderNode> nodes_;
  std::vector<OrderIndex> scope_;  // by queue: its own node, or the flat one it lies under
  std::map<std::pair<OrderIndex, UserIndex>, OrderIndex> user_lanes_;
};

}  // namespace yard::sched
