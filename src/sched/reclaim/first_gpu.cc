#include "sched/reclaim/first_gpu.h"

#include <functional>
#include <set>

#include "sched/filter/admit.h"
#include "sched/reclaim/reclaim.h"
#include "sched/reclaim/room.h"

namespace yard::sched {
namespace {

constexpr MilliGpu kOne{1000};

// Where the person's GPUs are counted; none if they are not.
OrderIndex CountedIn(const Core& core, LineIndex line) {
  const OrderIndex users = core.order().At(core.waiting().At(line).lane).parent;
  if (users == kNone<OrderIndex>) return users;
  return core.order().At(users).kind == OrderNode::Kind::kUsers ? users : kNone<OrderIndex>;
}

bool IsFirst(Decision& decision, LineIndex line, PoolIndex pool) {
  const Core& core = decision.core;
  const OrderIndex users = CountedIn(core, line);
  const UserIndex user = core.waiting().At(line).user;
  if (users == kNone<OrderIndex> || user == kNone<UserIndex>) return false;
  const MilliGpu wants = decision.BookingFor(line, pool).cost.gpu;
  return wants.value > 0 && wants <= kOne && core.order().HeldBelow(users, user).value == 0;
}

std::vector<QueueIndex> QueuesIn(const Core& core, OrderIndex users) {
  std::vector<QueueIndex> queues;
  for (std::size_t q = 0; q < core.snapshot().queues.size(); ++q) {
    const auto queue = QueueIndex(static_cast<std::int32_t>(q));
    if (core.order().ScopeOf(queue) == users) queues.push_back(queue);
  }
  return queues;
}

// What people with preemptible work in the pool hold, the most first.
std::set<MilliGpu, std::greater<>> HeldByOthers(const Core& core, OrderIndex users, PoolIndex pool,
                                                const std::vector<QueueIndex>& queues) {
  std::set<MilliGpu, std::greater<>> held;
  for (QueueIndex queue : queues) {
    for (const VictimKey& victim : core.running().Victims(queue, pool)) {
      held.insert(core.order().HeldBelow(users, core.At(victim.workload).user));
    }
  }
  held.erase(held.lower_bound(kOne), held.end());
  return held;
}

bool TryFirst(Decision& decision, LineIndex line, PoolIndex pool, Walk& walk) {
  Core& core = decision.core;
  const Booking wants = decision.BookingFor(line, pool);
  if (!IsFirst(decision, line, pool) || Refuses(core, wants)) return false;
  if (decision.kept.RefusesLater(core, wants, Micros(0))) return false;
  const OrderIndex users = CountedIn(core, line);
  const std::int64_t excess = decision.kept.Excess(core, pool);
  const WorkloadIndex own = decision.CursorOf(line).next->workload;
  RoomRules rules{.rule = Rule::kFirstGpu, .queues = QueuesIn(core, users)};
  rules.allowed = [&](const Workload& victim, const Resources& cost) {
    return core.order().HeldBelow(users, victim.user) - cost.gpu >= kOne;
  };
  rules.accepted = [&] { return decision.kept.Excess(core, pool) <= excess; };
  rules.spares = [=](WorkloadIndex head) { return head != own; };
  for (const MilliGpu most : HeldByOthers(core, users, pool, rules.queues)) {
    rules.offered = [&](const Workload& victim) {
      return core.order().HeldBelow(users, victim.user) == most &&
             GuardEnd(core, victim, Rule::kFirstGpu) <= core.snapshot().now;
    };
    if (StartInRoom(decision, line, pool, rules, walk)) return true;
  }
  return false;
}

}  // namespace

void GiveFirstGpus(Decision& decision) {
  if (decision.core.policy().first_gpu == FirstGpu::kPreempts) {
    ForAllLines(decision, IsFirst, TryFirst);
  }
}

}  // namespace yard::sched
