#include "sched/decide.h"

#include <algorithm>

#include "sched/allocate.h"
#include "sched/place/gang.h"
#include "sched/reclaim/consolidate.h"
#include "sched/reclaim/reclaim.h"

namespace yard::sched {
namespace {

// Ends what is over its time. The room it leaves is used once it is really gone.
void EnforceTimes(Decision& decision) {
  for (const Deadline& deadline : decision.core.running().deadlines()) {
    if (deadline.at > decision.core.snapshot().now) return;
    const Workload& workload = decision.core.At(deadline.workload);
    decision.evicted[static_cast<std::size_t>(deadline.workload.value)] = true;
    decision.plan.evictions.push_back(
        {deadline.workload, deadline.rule, kNone<WorkloadIndex>, workload.tasks});
  }
}

// The reason from the pool where the workload came closest to starting; the first pool on a tie.
Reason Dominant(Decision& decision, LineIndex index) {
  const Line& line = decision.core.waiting().At(index);
  Reason best{.cause = Cause::kNoPool, .queue = line.queue};
  for (PoolIndex pool : line.pools) {
    auto reason = decision.LineRefusal(index, pool);
    if (!reason) reason = decision.SpecRefusal(line.spec, pool);
    if (reason && (best.cause == Cause::kNoPool || reason->cause > best.cause)) best = *reason;
  }
  return best;
}

void ListRefusals(Decision& decision) {
  const Waiting& waiting = decision.core.waiting();
  for (std::size_t s = 0; s < waiting.spec_slots(); ++s) {
    for (LineIndex line : waiting.LinesOf(SpecIndex(static_cast<std::int32_t>(s)))) {
      const Cursor& cursor = decision.CursorOf(line);
      if (cursor.Done()) continue;
      decision.plan.refusals.push_back({cursor.next->workload,
                                        static_cast<std::int32_t>(cursor.left),
                                        Dominant(decision, line)});
    }
  }
  std::ranges::sort(decision.plan.refusals, {},
                    [&](const Refusal& refusal) { return decision.core.At(refusal.first).id; });
}

}  // namespace

Plan Decide(Core& core) {
  Decision decision(core);
  EnforceTimes(decision);
  Allocate(decision);
  if (core.policy().preemption == Preemption::kAllowed) {
    Consolidate(decision);
    Reclaim(decision);
    Preempt(decision);
  }
  Grow(decision);
  ListRefusals(decision);
  return std::move(decision.plan);
}

}  // namespace yard::sched
