#include "sched/backfill/heads.h"

#include <algorithm>

namespace yard::sched {
namespace {

// So many of the nearest heads look for an earlier start in every decision.
constexpr std::size_t kImproved = 4;

struct Known {
  WorkloadIndex workload;
  LineIndex line;
  PoolIndex pool;
};

PersonKey PersonOf(const Line& line) {
  if (line.user == kNone<UserIndex>) return {line.user, line.queue};
  return {line.user, kNone<QueueIndex>};
}

Wish WishOf(const Decision& decision, const Known& head, PoolIndex pool) {
  const Core& core = decision.core;
  return {head.workload, core.waiting().SpecAt(core.waiting().At(head.line).spec),
          decision.BookingFor(head.line, pool)};
}

std::vector<WorkloadIndex> ByStart(const Core& core) {
  std::vector<WorkloadIndex> heads(core.heads().begin(), core.heads().end());
  std::ranges::sort(heads, {}, [&](WorkloadIndex index) {
    return std::pair(core.At(index).rare->head->at, core.At(index).id);
  });
  return heads;
}

// One that its owner has put another one before, or whose place is gone, is a head no more.
std::vector<Known> KeepAll(Decision& decision) {
  const Core& core = decision.core;
  std::vector<Known> kept;
  for (WorkloadIndex index : ByStart(core)) {
    const HeldStart& start = *core.At(index).rare->head;
    const auto node = static_cast<std::size_t>(start.tasks[0].node.value);
    const Known head{index, core.LineOf(index), core.snapshot().nodes[node].pool};
    const Line& line = core.waiting().At(head.line);
    const Cursor& cursor = decision.CursorOf(head.line);
    if (cursor.Done() || cursor.next->workload != index) continue;
    if (std::ranges::find(line.pools, head.pool) == line.pools.end()) continue;
    if (decision.people.contains(PersonOf(line))) continue;
    if (!decision.holds->Keep(WishOf(decision, head, head.pool), start)) continue;
    decision.people.insert(PersonOf(line));
    kept.push_back(head);
  }
  return kept;
}

bool StartsNow(Decision& decision, const Known& head) {
  const Line& line = decision.core.waiting().At(head.line);
  for (PoolIndex pool : line.pools) {
    if (auto reason = decision.Refusal(head.line, pool)) {
      decision.LineRefusal(head.line, pool) = std::move(reason);
      continue;
    }
    const Wish wish = WishOf(decision, head, pool);
    if (!decision.holds->Allows(wish)) {
      decision.LineRefusal(head.line, pool) = Reason{.cause = Cause::kBackfill, .pool = pool};
      continue;
    }
    GangResult placed = decision.holds->Place(wish);
    if (placed.tasks) {
      decision.Start(head.line, pool, std::move(*placed.tasks), StartKind::kNow);
      return true;
    }
    decision.SpecRefusal(line.spec, pool) = placed.reason;
  }
  return false;
}

// A head that a reservation or a cap keeps from starting would hold its place for nothing.
bool WaitsInVain(Decision& decision, const Known& head) {
  const auto& reason = decision.LineRefusal(head.line, head.pool);
  return reason && !PassesWithTime(reason->cause) && reason->cause != Cause::kBackfill;
}

}  // namespace

bool PassesWithTime(Cause cause) {
  return cause == Cause::kOverLimit || cause == Cause::kNonPreemptibleOverQuota ||
         cause == Cause::kUserGpuCap;
}

void HoldHeads(Decision& decision, GuaranteedFirst serve) {
  if (!decision.holds) return;
  Holds& holds = *decision.holds;
  std::size_t improved = 0;
  const std::vector<Known> known = KeepAll(decision);
  const auto borrows = [&](const Known& head) { return holds.Borrows(head.workload); };
  if (std::ranges::any_of(known, borrows)) serve(decision);
  for (const Known& head : known) {
    // It may have been served as guaranteed work itself.
    if (!holds.Of(head.workload)) continue;
    const HeldStart kept = *holds.Of(head.workload);
    // A start that nobody's claim moves is not given up for a nearer one on borrowed GPUs.
    const auto least = holds.Borrows(head.workload) ? Standing::kBorrowed : Standing::kGuaranteed;
    holds.Drop(head.workload);
    if (StartsNow(decision, head)) {
      decision.people.erase(PersonOf(decision.core.waiting().At(head.line)));
      continue;
    }
    if (WaitsInVain(decision, head)) continue;
    const Wish wish = WishOf(decision, head, head.pool);
    const bool nearer = improved++ < kImproved && holds.PlanSooner(wish, kept.at, least);
    if (!nearer && !holds.Keep(wish, kept)) continue;
    MakeHead(decision, head.line);
    Cursor& cursor = decision.CursorOf(head.line);
    decision.before_heads.emplace_back(head.line, cursor);
    cursor.Step();
  }
}

bool MayBecomeHead(const Decision& decision, LineIndex line) {
  return !decision.people.contains(PersonOf(decision.core.waiting().At(line)));
}

void MakeHead(Decision& decision, LineIndex line) {
  const WorkloadIndex index = decision.CursorOf(line).next->workload;
  decision.people.insert(PersonOf(decision.core.waiting().At(line)));
  decision.heads.push_back(index);
  decision.plan.planned.push_back({index, decision.holds->Of(index)->at});
}

void ReturnHeads(Decision& decision) {
  for (const auto& [line, cursor] : decision.before_heads) {
    if (decision.CursorOf(line).left + 1 == cursor.left) decision.CursorOf(line) = cursor;
  }
  decision.before_heads.clear();
}

void ListHeads(Decision& decision) {
  for (WorkloadIndex head : decision.heads) {
    const bool starts = std::ranges::find(decision.plan.starts, head, &Start::workload) !=
                        decision.plan.starts.end();
    if (!starts) decision.plan.heads.push_back({head, *decision.holds->Of(head)});
  }
}

}  // namespace yard::sched
