#include "sched/explain/waiting.h"

#include "sched/allocate.h"
#include "sched/decide.h"
#include "sched/decision.h"

namespace yard::sched {
namespace {

std::vector<MilliGpu> HeldIn(const Core& core, PoolIndex pool) {
  std::vector<MilliGpu> held;
  for (std::size_t q = 0; q < core.snapshot().queues.size(); ++q) {
    const QueueIndex queue(static_cast<std::int32_t>(q));
    held.push_back(core.ledger().At(queue, pool).allocated.gpu);
  }
  return held;
}

// Serves everybody who tries one pool first on paper.
void WalkPool(Core& core, PoolIndex pool, std::vector<Waiter>& order) {
  const std::vector<MilliGpu> held = HeldIn(core, pool);
  Decision paper(core);
  const std::vector<LineIndex> lines = LinesAt(paper, pool, 0, LineFilter::kAll);
  Walk walk(core, pool, lines, paper.cursors);
  while (const auto top = walk.Top()) {
    Cursor& cursor = paper.CursorOf(*top);
    order.push_back({cursor.next->workload, walk.TermsOfTop()});
    for (QueueTerms& terms : order.back().terms.queues) {
      terms.held = held[static_cast<std::size_t>(terms.queue.value)];
      terms.ahead -= terms.held;
    }
    paper.trial.Book(paper.BookingFor(*top, pool), +1);
    cursor.Step();
    walk.Advance();
  }
}

}  // namespace

std::vector<WaitingLine> ReasonsOfWaiting(Core& core) {
  Decision decision(core);
  RunSteps(decision);
  std::vector<WaitingLine> all;
  for (WorkloadIndex index : core.promised()) {
    const PoolIndex pool = PoolOf(core.snapshot(), core.At(index));
    all.push_back({{.reasons = {{.cause = Cause::kPlaceHeld, .pool = pool}}}, {index}});
  }
  Binder binder(decision);
  for (std::size_t s = 0; s < core.waiting().spec_slots(); ++s) {
    for (LineIndex line : core.waiting().LinesOf(SpecIndex(static_cast<std::int32_t>(s)))) {
      if (decision.CursorOf(line).Done()) continue;
      WaitingLine waiting{binder.Of(line), {}};
      for (Cursor cursor = decision.CursorOf(line); !cursor.Done(); cursor.Step()) {
        waiting.workloads.push_back(cursor.next->workload);
      }
      all.push_back(std::move(waiting));
    }
  }
  return all;
}

std::vector<Waiter> OrderOfWaiting(Core& core) {
  std::vector<Waiter> order;
  for (WorkloadIndex index : core.promised()) {
    const Workload& workload = core.At(index);
    OrderTerms terms{.pool = PoolOf(core.snapshot(), workload),
                     .wants = CostOf(core.snapshot(), workload, workload.tasks).gpu};
    order.push_back({index, std::move(terms)});
  }
  for (std::size_t p = 0; p < core.snapshot().pools.size(); ++p) {
    WalkPool(core, PoolIndex(static_cast<std::int32_t>(p)), order);
  }
  return order;
}

}  // namespace yard::sched
