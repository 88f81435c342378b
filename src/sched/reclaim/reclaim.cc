#include "sched/reclaim/reclaim.h"

#include <algorithm>

#include "sched/allocate.h"
#include "sched/filter/admit.h"
#include "sched/order/queue_order.h"
#include "sched/reclaim/room.h"

namespace yard::sched {
namespace {

// True if `amount` exceeds `bound` in some resource that the reclaimer asks for.
bool Exceeds(const Resources& amount, const Resources& bound, const Resources& wanted) {
  for (int r = 0; r < kResourceCount; ++r) {
    const std::int64_t most = bound.Values()[r];
    if (wanted.Values()[r] > 0 && most != kUnlimited && amount.Values()[r] > most) return true;
  }
  return false;
}

Resources OnlyWanted(const Resources& amount, const Resources& wanted) {
  auto values = amount.Values();
  for (int r = 0; r < kResourceCount; ++r) {
    if (wanted.Values()[r] == 0) values[static_cast<std::size_t>(r)] = 0;
  }
  return Resources::From(values);
}

// One reclaimer in one pool: its rights against each other queue.
class Claimant {
 public:
  Claimant(Decision& decision, const Booking& wants)
      : core_(decision.core),
        wants_(wants),
        shares_(decision.core.Shares(wants.pool)),
        guaranteed_(decision.core.Guaranteed(wants.pool)) {}

  // Within fair share at its own queue, even with the workload.
  bool Entitled() const {
    const Resources after = Balance(wants_.queue).allocated + wants_.cost;
    return !Exceeds(after, ShareOf(wants_.queue), wants_.cost);
  }

  // The two queues on the level where the paths part.
  struct Pair {
    QueueIndex ours;
    QueueIndex theirs;
  };
  Pair PartingFrom(QueueIndex victim) const {
    const auto ours = core_.ledger().Path(wants_.queue);
    const auto theirs = core_.ledger().Path(victim);
    std::size_t i = 1;
    while (i < ours.size() && i < theirs.size() && At(ours, i) == At(theirs, i)) ++i;
    return {At(ours, i), At(theirs, i)};
  }

  bool MayTakeFrom(QueueIndex victim) const {
    if (core_.order().InOneFlatOrder(wants_.queue, victim)) return false;
    const auto [ours, theirs] = PartingFrom(victim);
    const Resources& held = Balance(theirs).allocated;
    if (Exceeds(held, ShareOf(theirs), wants_.cost)) return true;
    return WithinQuota(ours) && Exceeds(held, GuaranteeOf(theirs), wants_.cost);
  }

  // Judged at the end, with evictions and the reclaimer booked.
  bool SettledWith(QueueIndex victim, std::int64_t multiplier_milli) const {
    const auto [ours, theirs] = PartingFrom(victim);
    const Saturation mine = SaturationIn(ours);
    if (mine <= Saturation{1, 1}) return true;
    if (!Exceeds(Balance(ours).allocated, GuaranteeOf(ours), wants_.cost)) return true;
    const Saturation scaled{mine.part * multiplier_milli, mine.whole * 1000};
    return scaled < SaturationIn(theirs);
  }

  Saturation SaturationIn(QueueIndex queue) const {
    return SaturationOf(OnlyWanted(Balance(queue).allocated, wants_.cost), ShareOf(queue));
  }

 private:
  // Counted from the root: 1 is the root itself.
  static QueueIndex At(std::span<const QueueIndex> path, std::size_t depth) {
    return path[path.size() - depth];
  }
  const QueueBalance& Balance(QueueIndex queue) const {
    return core_.ledger().At(queue, wants_.pool);
  }
  const Resources& ShareOf(QueueIndex queue) const {
    return shares_[static_cast<std::size_t>(queue.value)];
  }
  const Resources& GuaranteeOf(QueueIndex queue) const {
    return guaranteed_[static_cast<std::size_t>(queue.value)];
  }
  bool WithinQuota(QueueIndex ours) const {
    return !Exceeds(Balance(ours).allocated + wants_.cost, GuaranteeOf(ours), wants_.cost);
  }

  Core& core_;
  const Booking& wants_;
  const std::vector<Resources>& shares_;
  const std::vector<Resources>& guaranteed_;
};

std::vector<QueueIndex> VictimQueues(const Core& core, const Claimant& claimant,
                                     const Booking& wants) {
  std::vector<std::pair<Saturation, QueueIndex>> found;
  for (std::size_t q = 0; q < core.snapshot().queues.size(); ++q) {
    const auto queue = QueueIndex(static_cast<std::int32_t>(q));
    if (queue == wants.queue || core.running().Victims(queue, wants.pool).empty()) continue;
    if (!claimant.MayTakeFrom(queue)) continue;
    found.emplace_back(claimant.SaturationIn(claimant.PartingFrom(queue).theirs), queue);
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<QueueIndex> queues;
  queues.reserve(found.size());
  for (const auto& [saturation, queue] : found) queues.push_back(queue);
  return queues;
}

// What has a reservation's GPUs would take them back at once.
bool MayLose(const Decision& decision, QueueIndex victim, PoolIndex pool, const Resources& cost) {
  return cost.gpu.value == 0 || decision.kept.Spares(decision.core, victim, pool, cost.gpu);
}

bool TryReclaim(Decision& decision, LineIndex line, PoolIndex pool, Walk& walk) {
  Core& core = decision.core;
  const Booking wants = decision.BookingFor(line, pool);
  const Claimant claimant(decision, wants);
  const Micros duration = core.waiting().SpecAt(core.waiting().At(line).spec).duration;
  if (!claimant.Entitled() || Refuses(core, wants)) return false;
  if (decision.kept.RefusesLater(core, wants, duration)) return false;
  const std::int64_t excess = decision.kept.Excess(core, pool);
  std::vector<QueueIndex> taken_from;
  const WorkloadIndex own = decision.CursorOf(line).next->workload;
  const bool spared = decision.head_right == HeadRight::kSpared;
  const Wish wish{own, core.waiting().SpecAt(core.waiting().At(line).spec), wants};
  // What a head of its own project is guaranteed is left to the head.
  if (decision.holds && !decision.holds->Allows(wish, Beside::kGuaranteed)) return false;
  const RoomRules rules{.rule = Rule::kReclaim,
                        .queues = VictimQueues(core, claimant, wants),
                        .offered =
                            [&](const Workload& victim) {
                              return GuardEnd(core, victim, Rule::kReclaim) <= core.snapshot().now;
                            },
                        .allowed =
                            [&](const Workload& victim, const Resources& cost) {
                              if (!claimant.MayTakeFrom(victim.queue)) return false;
                              if (!MayLose(decision, victim.queue, pool, cost)) return false;
                              taken_from.push_back(victim.queue);
                              return true;
                            },
                        .accepted =
                            [&] {
                              if (decision.kept.Excess(core, pool) > excess) return false;
                              return std::ranges::all_of(taken_from, [&](QueueIndex queue) {
                                return claimant.SettledWith(queue, core.policy().saturation_milli);
                              });
                            },
                        .spares =
                            [&, own, spared](WorkloadIndex head) {
                              return head != own && (spared || !decision.holds->Borrows(head));
                            }};
  // Where heads give way, what is free of their places may be enough.
  if (rules.queues.empty() && spared) return false;
  return StartInRoom(decision, line, pool, rules, walk);
}

QueueIndex ProjectOf(const Core& core, QueueIndex queue) {
  for (QueueIndex at : core.ledger().Path(queue)) {
    if (core.snapshot().queues[static_cast<std::size_t>(at.value)].level <= QueueLevel::kProject) {
      return at;
    }
  }
  return queue;
}

std::vector<QueueIndex> LeavesOf(const Core& core, QueueIndex project) {
  std::vector<QueueIndex> leaves;
  for (std::size_t q = 0; q < core.snapshot().queues.size(); ++q) {
    const auto queue = QueueIndex(static_cast<std::int32_t>(q));
    const auto path = core.ledger().Path(queue);
    if (std::ranges::find(path, project) != path.end()) leaves.push_back(queue);
  }
  return leaves;
}

// What a preemption adds to its queue must stay within the fair share: more would be reclaimed
// right back.
bool StaysFair(Core& core, const Booking& wants, const Resources& before) {
  const auto after = core.ledger().At(wants.queue, wants.pool).allocated.Values();
  const auto share = core.Shares(wants.pool)[static_cast<std::size_t>(wants.queue.value)].Values();
  for (std::size_t r = 0; r < after.size(); ++r) {
    if (after[r] > std::max(share[r], before.Values()[r])) return false;
  }
  return true;
}

bool TryPreempt(Decision& decision, LineIndex line, PoolIndex pool, Walk& walk) {
  Core& core = decision.core;
  const std::int32_t priority = core.At(decision.CursorOf(line).next->workload).priority;
  const QueueIndex own = core.waiting().At(line).queue;
  const QueueIndex project = ProjectOf(core, own);
  const Booking wants = decision.BookingFor(line, pool);
  const Resources before = core.ledger().At(own, pool).allocated;
  if (decision.kept.RefusesLater(core, wants, Micros(0))) return false;
  const std::int64_t excess = decision.kept.Excess(core, pool);
  const RoomRules rules{.rule = Rule::kPreempt,
                        .queues = own == project ? std::vector{own} : LeavesOf(core, project),
                        .offered =
                            [&](const Workload& victim) {
                              return victim.priority < priority &&
                                     GuardEnd(core, victim, Rule::kPreempt) <= core.snapshot().now;
                            },
                        .allowed = [](const Workload&, const Resources&) { return true; },
                        .refused = [&] { return Refuses(core, wants).has_value(); },
                        .accepted =
                            [&] {
                              return StaysFair(core, wants, before) &&
                                     decision.kept.Excess(core, pool) <= excess;
                            },
                        .spares =
                            [&](WorkloadIndex head) {
                              const Workload& ahead = core.At(head);
                              const bool weaker = ahead.priority < priority &&
                                                  ProjectOf(core, ahead.queue) == project;
                              return head != decision.CursorOf(line).next->workload && !weaker;
                            }};
  return StartInRoom(decision, line, pool, rules, walk);
}

// Could room be made at all? Not for what no node of the pool suits.
bool NodesSuit(Decision& decision, LineIndex line, PoolIndex pool) {
  const auto& refusal = decision.SpecRefusal(decision.core.waiting().At(line).spec, pool);
  return !refusal || refusal->cause >= Cause::kGpus;
}

bool WorthReclaim(Decision& decision, LineIndex line, PoolIndex pool) {
  if (!NodesSuit(decision, line, pool)) return false;
  const Booking wants = decision.BookingFor(line, pool);
  return Claimant(decision, wants).Entitled();
}

// For what is guaranteed, even a head that borrows gives way.
bool WorthGuaranteed(Decision& decision, LineIndex line, PoolIndex pool) {
  return WorthReclaim(decision, line, pool) &&
         IsGuaranteed(decision.core, decision.BookingFor(line, pool));
}

bool WorthPreempt(Decision& decision, LineIndex line, PoolIndex pool) {
  if (!NodesSuit(decision, line, pool)) return false;
  const Core& core = decision.core;
  const QueueIndex own = core.waiting().At(line).queue;
  if (core.order().InOneFlatOrder(own, own)) return false;
  const QueueIndex project = ProjectOf(core, own);
  if (own != project) return true;
  const auto& victims = core.running().Victims(own, pool);
  const std::int32_t priority = core.At(decision.CursorOf(line).next->workload).priority;
  return !victims.empty() && victims.begin()->priority < priority;
}

}  // namespace

void ForAllLines(Decision& decision, LineTest worth, LineTry attempt) {
  Core& core = decision.core;
  const std::size_t longest = decision.longest_order;
  for (std::size_t place = 0; place < longest; ++place) {
    for (std::size_t p = 0; p < core.snapshot().pools.size(); ++p) {
      const auto pool = PoolIndex(static_cast<std::int32_t>(p));
      auto lines = LinesAt(decision, pool, place, LineFilter::kAll);
      std::erase_if(lines, [&](LineIndex line) { return !worth(decision, line, pool); });
      if (lines.empty()) continue;
      Walk walk(core, pool, lines, decision.cursors);
      while (const auto top = walk.Top()) {
        if (!attempt(decision, *top, pool, walk)) walk.Drop();
      }
    }
  }
}

// The guard of the nearest queue that sets one, else the cluster's.
Time GuardEnd(const Core& core, const Workload& running, Rule rule) {
  if (rule == Rule::kReservation) return running.rare->spared_until;
  const bool reclaim = rule == Rule::kReclaim;
  const auto guard = reclaim ? &Queue::reclaim_min_runtime : &Queue::preempt_min_runtime;
  for (QueueIndex at : core.ledger().Path(running.queue)) {
    const auto& set = core.snapshot().queues[static_cast<std::size_t>(at.value)].*guard;
    if (set) return std::max(running.started + *set, running.rare->spared_until);
  }
  const Policy& policy = core.policy();
  const Micros guarded = reclaim ? policy.reclaim_min_runtime : policy.preempt_min_runtime;
  return std::max(running.started + guarded, running.rare->spared_until);
}

void Reclaim(Decision& decision) {
  ForAllLines(decision, WorthReclaim, TryReclaim);
  if (decision.heads.empty()) return;
  decision.head_right = HeadRight::kYield;
  ForAllLines(decision, WorthGuaranteed, TryReclaim);
  decision.head_right = HeadRight::kSpared;
}

void Preempt(Decision& decision) {
  ForAllLines(decision, WorthPreempt, TryPreempt);
}

}  // namespace yard::sched
