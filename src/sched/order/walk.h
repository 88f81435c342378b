// Hands out waiting lines in the order of fairness, one workload at a time.
//
// A tree of heaps: on each level of the OrderTree the child that is served next lies on top.
// Starting or dropping a workload changes only the keys on its own path, so each step costs a
// logarithm per level.
//
// Thread rule: one thread; lives shorter than the Core.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sched/core/core.h"
#include "sched/order/queue_order.h"
#include "sched/order/terms.h"

namespace yard::sched {

// How far a line has been served in this decision.
struct Cursor {
  std::set<JobKey>::const_iterator next;
  std::int64_t left = 0;
  bool Done() const { return left == 0; }
  void Step() {
    ++next;
    --left;
  }
};

class Walk {
 public:
  // Serves `lines` in `pool`; cursors are indexed by line and owned by the caller.
  Walk(Core& core, PoolIndex pool, std::span<const LineIndex> lines, std::vector<Cursor>& cursors);

  // What put the top where it is.
  OrderTerms TermsOfTop() const;
  // The line whose next workload is to be served, or nothing.
  std::optional<LineIndex> Top() const;
  // The top's next workload has been served (the caller moved the cursor): go on with the rest.
  void Advance();
  // The top line leaves the walk.
  void Drop();
  // The balance of a queue changed from outside (a victim): put the heaps right.
  void Reorder(QueueIndex changed);

 private:
  // Lines of a lane, else child nodes; the one to be served in front.
  using Heap = std::vector<std::int32_t>;
  Heap& At(OrderIndex node) { return heaps_[static_cast<std::size_t>(node.value)]; }
  const Heap& At(OrderIndex node) const { return heaps_[static_cast<std::size_t>(node.value)]; }
  auto Later(OrderIndex node) const {
    return [this, node](std::int32_t a, std::int32_t b) { return Before(node, b, a); };
  }
  void Renew(OrderIndex lane);
  LineIndex HeadOf(OrderIndex node) const;
  const JobKey& JobOf(LineIndex line) const;
  const Resources& CostOfNext(LineIndex line) const;
  QueueClaim ClaimOf(OrderIndex queue) const;
  // By nth GPU: without GPU first, named users before anonymous work, then the ordinal.
  struct UserKey {
    bool wants_gpu;
    bool anonymous;
    std::int64_t nth_milli;
    Time created;
    WorkloadId id;
    auto operator<=>(const UserKey&) const = default;
  };
  UserKey UserKeyOf(OrderIndex users, OrderIndex child) const;
  // By priority, then without GPU first, then by what the person would hold, weighed by past use.
  struct TurnKey {
    std::int64_t rank;
    std::int64_t load;
    Time created;
    WorkloadId id;
    auto operator<=>(const TurnKey&) const = default;
  };
  TurnKey TurnKeyOf(OrderIndex lane) const;
  bool Before(OrderIndex parent, std::int32_t a, std::int32_t b) const;
  bool LineBefore(OrderIndex lane, LineIndex a, LineIndex b) const;
  bool QueueBefore(OrderIndex a, OrderIndex b) const {
    return ServedBefore(ClaimOf(a), ClaimOf(b));
  }
  bool UserBefore(OrderIndex users, OrderIndex a, OrderIndex b) const {
    return UserKeyOf(users, a) < UserKeyOf(users, b);
  }
  bool OlderBefore(OrderIndex a, OrderIndex b) const;

  Core& core_;
  PoolIndex pool_;
  const std::vector<Resources>& shares_;
  const std::vector<Resources>& guaranteed_;
  std::vector<Cursor>& cursors_;
  std::vector<Heap> heaps_;
};

}  // namespace yard::sched
