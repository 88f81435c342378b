#include "sched/decision.h"

#include <algorithm>

#include "sched/filter/admit.h"

namespace yard::sched {

Decision::Decision(Core& c)
    : core(c),
      trial(c),
      cursors(c.waiting().line_slots()),
      spec_refusals(c.waiting().spec_slots() * c.snapshot().pools.size()),
      line_refusals(c.waiting().line_slots() * c.snapshot().pools.size()),
      evicted(c.snapshot().workloads.size()),
      kept(c) {
  c.Prepare();
  for (WorkloadIndex leaving : c.leaving()) evicted[static_cast<std::size_t>(leaving.value)] = true;
  if (c.policy().backfill != Backfill::kOff) holds.emplace(c, trial);
  for (std::size_t l = 0; l < cursors.size(); ++l) {
    const Line& line = c.waiting().At(LineIndex(static_cast<std::int32_t>(l)));
    longest_order = std::max(longest_order, line.pools.size());
    cursors[l] = {line.jobs.begin(), static_cast<std::int64_t>(line.jobs.size())};
    // Plans for later change the books, so shares are found before the first one is made.
    if (!holds) continue;
    for (PoolIndex pool : line.pools) c.Shares(pool);
  }
}

std::optional<Reason>& Decision::SpecRefusal(SpecIndex spec, PoolIndex pool) {
  return spec_refusals[static_cast<std::size_t>(spec.value) * core.snapshot().pools.size() +
                       static_cast<std::size_t>(pool.value)];
}

std::optional<Reason>& Decision::LineRefusal(LineIndex line, PoolIndex pool) {
  return line_refusals[static_cast<std::size_t>(line.value) * core.snapshot().pools.size() +
                       static_cast<std::size_t>(pool.value)];
}

Cursor& Decision::CursorOf(LineIndex line) {
  return cursors[static_cast<std::size_t>(line.value)];
}

Booking Decision::BookingFor(LineIndex index, PoolIndex pool) const {
  const Line& line = core.waiting().At(index);
  const Spec& spec = core.waiting().SpecAt(line.spec);
  const auto at = std::ranges::find(line.pools, pool) - line.pools.begin();
  return {line.queue,
          line.user,
          pool,
          line.costs[static_cast<std::size_t>(at)],
          spec.preemptibility,
          spec.kind == WorkloadKind::kInteractive ? 1 : 0};
}

std::optional<Reason> Decision::Refusal(LineIndex line, PoolIndex pool) const {
  const Booking booking = BookingFor(line, pool);
  if (auto reason = Refuses(core, booking)) return reason;
  const Line& at = core.waiting().At(line);
  return kept.Refuses(core, booking, core.waiting().SpecAt(at.spec).duration);
}

void Decision::Start(LineIndex line, PoolIndex pool, std::vector<TaskPlacement> tasks,
                     StartKind kind) {
  Cursor& cursor = CursorOf(line);
  const WorkloadIndex index = cursor.next->workload;
  cursor.Step();
  const Workload& workload = core.At(index);
  const Resources cost = CostOf(core.snapshot(), workload, tasks);
  const Booking booking = BookingOf(workload, pool, cost);
  trial.Book(booking, +1);
  kept.Started(core, booking, DurationOf(workload));
  if (holds) holds->Drop(index);
  if (holds) holds->Started(workload, booking, tasks);
  plan.starts.push_back({index, pool, kind, std::move(tasks)});
}

}  // namespace yard::sched
