#include "sched/explain/waiting.h"

#include "sched/allocate.h"
#include "sched/decide.h"
#include "sched/decision.h"

namespace yard::sched {
namespace {

// Serves everybody of one pool on paper.
void WalkPool(Core& core, PoolIndex pool, std::vector<bool>& seen, std::vector<Waiter>& order) {
  Decision paper(core);
  std::vector<LineIndex> lines;
  for (std::size_t place = 0; place < paper.longest_order; ++place) {
    const auto more = LinesAt(paper, pool, place, LineFilter::kAll);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  Walk walk(core, pool, lines, paper.cursors);
  while (const auto top = walk.Top()) {
    Cursor& cursor = paper.CursorOf(*top);
    const WorkloadIndex next = cursor.next->workload;
    if (!seen[static_cast<std::size_t>(next.value)]) {
      order.push_back({next, order.size() < kMostTerms ? walk.TermsOfTop() : OrderTerms()});
    }
    seen[static_cast<std::size_t>(next.value)] = true;
    paper.trial.Book(paper.BookingFor(*top, pool), +1);
    cursor.Step();
    walk.Advance();
  }
}

}  // namespace

std::vector<WaitReason> ReasonsOfWaiting(Core& core) {
  Decision decision(core);
  RunSteps(decision);
  std::vector<WaitReason> all;
  for (std::size_t s = 0; s < core.waiting().spec_slots(); ++s) {
    for (LineIndex line : core.waiting().LinesOf(SpecIndex(static_cast<std::int32_t>(s)))) {
      if (decision.CursorOf(line).Done()) continue;
      const Reason reason = DominantReason(decision, line);
      for (Cursor cursor = decision.CursorOf(line); !cursor.Done(); cursor.Step()) {
        all.push_back({cursor.next->workload, reason});
      }
    }
  }
  return all;
}

std::vector<Waiter> OrderOfWaiting(Core& core) {
  std::vector<bool> seen(core.snapshot().workloads.size());
  std::vector<Waiter> order;
  for (std::size_t p = 0; p < core.snapshot().pools.size(); ++p) {
    WalkPool(core, PoolIndex(static_cast<std::int32_t>(p)), seen, order);
  }
  return order;
}

}  // namespace yard::sched
