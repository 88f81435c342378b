#include "sched/decide.h"

#include <algorithm>
#include <map>
#include <set>

#include "sched/allocate.h"
#include "sched/backfill/heads.h"
#include "sched/place/gang.h"
#include "sched/reclaim/consolidate.h"
#include "sched/reclaim/first_gpu.h"
#include "sched/reclaim/promised.h"
#include "sched/reclaim/reclaim.h"
#include "sched/reclaim/reserved.h"

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

// What would fit if nobody had been started waits behind others, not for room.
void FindWhoIsBehind(Decision& decision) {
  std::set<PoolIndex> used;
  for (const Start& start : decision.plan.starts) used.insert(start.pool);
  const Waiting& waiting = decision.core.waiting();
  for (std::size_t s = 0; s < waiting.spec_slots(); ++s) {
    const auto spec = SpecIndex(static_cast<std::int32_t>(s));
    for (PoolIndex pool : used) {
      auto& refusal = decision.SpecRefusal(spec, pool);
      if (!refusal || refusal->cause < Cause::kGpus || refusal->cause > Cause::kTopology) continue;
      const Trial::Mark mark = decision.trial.Here();
      if (PlaceGang(decision.core, decision.trial, waiting.SpecAt(spec), pool).tasks) {
        refusal = Reason{.cause = Cause::kBehind, .pool = pool};
      }
      decision.trial.RollBack(mark);
    }
  }
}

// Waiting workloads of one spec that are refused for one reason.
struct Alike {
  LineIndex line;  // of the one with the lowest id
  WorkloadId id;
  std::int64_t count = 0;
};

void Count(Decision& decision, LineIndex line, Alike& alike) {
  const Line& at = decision.core.waiting().At(line);
  const Cursor& cursor = decision.CursorOf(line);
  const bool untouched = cursor.left == static_cast<std::int64_t>(at.jobs.size());
  const WorkloadId id = untouched ? at.first_id : cursor.next->id;
  if (alike.count == 0 || id < alike.id) {
    alike.id = id;
    alike.line = line;
  }
  alike.count += cursor.left;
}

void ListRefusals(Decision& decision) {
  const Waiting& waiting = decision.core.waiting();
  std::vector<std::pair<Reason, Alike>> all;
  for (std::size_t s = 0; s < waiting.spec_slots(); ++s) {
    std::map<Reason, Alike> by_reason;
    auto last = by_reason.end();
    for (LineIndex line : waiting.LinesOf(SpecIndex(static_cast<std::int32_t>(s)))) {
      if (decision.CursorOf(line).Done()) continue;
      const Reason reason = DominantReason(decision, line);
      if (last == by_reason.end() || last->first != reason) {
        last = by_reason.try_emplace(reason).first;
      }
      Count(decision, line, last->second);
    }
    all.insert(all.end(), by_reason.begin(), by_reason.end());
  }
  std::ranges::sort(all, {}, [](const auto& entry) { return entry.second.id; });
  for (const auto& [reason, alike] : all) {
    decision.plan.refusals.push_back(
        {decision.CursorOf(alike.line).next->workload, alike.count, reason});
  }
}

// The reason that says most: what holds work back in a pool with machines before a pool without.
int WeightOf(Cause cause) {
  if (cause == Cause::kNoPool) return -2;
  return cause == Cause::kNoNodes ? -1 : static_cast<int>(cause);
}

}  // namespace

Reason DominantReason(Decision& decision, LineIndex index) {
  const Line& line = decision.core.waiting().At(index);
  Reason best{.cause = Cause::kNoPool, .queue = line.queue};
  for (PoolIndex pool : line.pools) {
    auto reason = decision.LineRefusal(index, pool);
    if (!reason) reason = decision.SpecRefusal(line.spec, pool);
    if (reason && WeightOf(reason->cause) > WeightOf(best.cause)) best = *reason;
  }
  return best;
}

void RunSteps(Decision& decision) {
  KeepPromises(decision);
  EnforceTimes(decision);
  Allocate(decision);
  if (decision.core.policy().preemption == Preemption::kAllowed) {
    Consolidate(decision);
    ClaimReserved(decision);
    Reclaim(decision);
    Preempt(decision);
    GiveFirstGpus(decision);
  }
  Grow(decision);
  ListHeads(decision);
  decision.trial.RollBack({});
  FindWhoIsBehind(decision);
}

Plan Decide(Core& core) {
  Decision decision(core);
  RunSteps(decision);
  ListRefusals(decision);
  return std::move(decision.plan);
}

}  // namespace yard::sched
