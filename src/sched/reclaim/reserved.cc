#include "sched/reclaim/reserved.h"

#include <algorithm>

#include "sched/filter/admit.h"
#include "sched/order/queue_order.h"
#include "sched/reclaim/reclaim.h"
#include "sched/reclaim/room.h"

namespace yard::sched {
namespace {

// Those with preemptible work in the pool, the most above its share first.
std::vector<QueueIndex> VictimQueues(Core& core, const Booking& wants) {
  const std::vector<Resources>& shares = core.Shares(wants.pool);
  std::vector<std::pair<Saturation, QueueIndex>> found;
  for (std::size_t q = 0; q < core.snapshot().queues.size(); ++q) {
    const auto queue = QueueIndex(static_cast<std::int32_t>(q));
    if (queue == wants.queue || core.running().Victims(queue, wants.pool).empty()) continue;
    found.emplace_back(SaturationOf(core.ledger().At(queue, wants.pool).allocated, shares[q]),
                       queue);
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<QueueIndex> queues;
  queues.reserve(found.size());
  for (const auto& [saturation, queue] : found) queues.push_back(queue);
  return queues;
}

bool Granted(Decision& decision, LineIndex line, PoolIndex pool) {
  return decision.kept.Grants(decision.core, decision.BookingFor(line, pool));
}

bool TryReserved(Decision& decision, LineIndex line, PoolIndex pool, Walk& walk) {
  Core& core = decision.core;
  const Booking wants = decision.BookingFor(line, pool);
  const Micros duration = core.waiting().SpecAt(core.waiting().At(line).spec).duration;
  if (!decision.kept.Grants(core, wants) || Refuses(core, wants)) return false;
  if (decision.kept.RefusesLater(core, wants, duration)) return false;
  const RoomRules rules{.rule = Rule::kReservation,
                        .queues = VictimQueues(core, wants),
                        .offered =
                            [&](const Workload& victim) {
                              return GuardEnd(core, victim, Rule::kReservation) <=
                                     core.snapshot().now;
                            },
                        .allowed =
                            [&](const Workload& victim, const Resources& cost) {
                              return decision.kept.Spares(core, victim.queue, pool, cost.gpu);
                            },
                        .accepted = [] { return true; }};
  return !rules.queues.empty() && StartInRoom(decision, line, pool, rules, walk);
}

}  // namespace

void ClaimReserved(Decision& decision) {
  if (!decision.kept.empty()) ForAllLines(decision, Granted, TryReserved);
}

}  // namespace yard::sched
