// Who is compared with whom: the queues as the fairness policies see them.
//
// Under fair share every queue is a node and its waiting workloads a lane, or one lane for each
// person (People::kByUse). Where a policy without
// quota order rules (nth GPU, first come), everything below that queue is flat: one lane per user,
// or one lane. A queue inside that chooses a policy of its own stands there as a whole: what it
// would start next, by its own policy, competes by the policy around it.
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
    kPeople,  // children are lanes of users, by what each holds, weighed by past use
    kUsers,   // children are lanes of users and queues with a policy of their own, by nth GPU
    kOldest,  // children are one lane and queues with a policy of their own, by age
    kLane,    // workloads
  };
  Kind kind = Kind::kQueues;
  Fairness fairness = Fairness::kFairShare;
  QueueIndex queue = kNone<QueueIndex>;  // the root has none
  UserIndex user = kNone<UserIndex>;     // of a user's lane
  OrderIndex parent = kNone<OrderIndex>;
  MilliGpu held{0};                 // of a user's lane: GPUs the user holds below this queue
  std::int64_t weigh_milli = 1000;  // of a user's lane below kPeople: what each of these counts
  bool has_queues = false;  // kUsers: some child is a queue, so that one user may stand in several
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
  // Whether a flat order (first come, nth GPU) ranks the work of both queues, or what both lie in.
  // Shares and priorities do not count in it, so nothing may be taken for their sake: the order
  // would only start again what was stopped.
  bool InOneFlatOrder(QueueIndex a, QueueIndex b) const;
  // GPUs that the user holds below a kUsers node.
  MilliGpu HeldBelow(OrderIndex users, UserIndex user) const;
  // Books GPUs that a user starts or stops to hold.
  void Hold(QueueIndex queue, UserIndex user, MilliGpu change);

 private:
  OrderIndex AddNode(const OrderNode& node);
  OrderIndex LaneIn(OrderIndex flat, UserIndex user);
  void WeighPeople(const Snapshot& snapshot, const Policy& policy);

  std::vector<OrderNode> nodes_;
  std::vector<OrderIndex> scope_;  // by queue: its own node, or the flat one it lies under
  std::map<std::pair<OrderIndex, UserIndex>, OrderIndex> flat_lanes_;
  std::map<std::pair<QueueIndex, UserIndex>, std::int64_t> weigh_milli_;
};

}  // namespace yard::sched
