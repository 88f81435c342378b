#include "sched/allocate.h"

#include <algorithm>

#include "sched/filter/admit.h"
#include "sched/place/gang.h"

namespace yard::sched {
namespace {

// Lines lie together by spec.
std::size_t SpecsOf(const Core& core, std::span<const LineIndex> lines) {
  std::size_t specs = 0;
  SpecIndex last = kNone<SpecIndex>;
  for (LineIndex line : lines) {
    const SpecIndex spec = core.waiting().At(line).spec;
    if (spec != last) ++specs;
    last = spec;
  }
  return specs;
}

// Refuses a spec that not even one task of which fits, before its lines are looked at.
bool Probe(Decision& decision, SpecIndex index, PoolIndex pool) {
  const Spec& spec = decision.core.waiting().SpecAt(index);
  if (MayFit(decision.core, spec, pool)) return true;
  decision.SpecRefusal(index, pool) = PlaceGang(decision.core, decision.trial, spec, pool).reason;
  return false;
}

void AllocateIn(Decision& decision, PoolIndex pool, std::size_t place) {
  const std::vector<LineIndex> lines = LinesAt(decision, pool, place, LineFilter::kOpen);
  if (lines.empty()) return;
  std::size_t open = SpecsOf(decision.core, lines);
  Walk walk(decision.core, pool, lines, decision.cursors);
  while (const auto top = walk.Top()) {
    const SpecIndex spec = decision.core.waiting().At(*top).spec;
    auto& refused = decision.SpecRefusal(spec, pool);
    if (refused) {
      walk.Drop();
      continue;
    }
    if (auto reason = Refuses(decision.core, decision.BookingFor(*top, pool))) {
      decision.LineRefusal(*top, pool) = std::move(reason);
      walk.Drop();
      continue;
    }
    GangResult placed =
        PlaceGang(decision.core, decision.trial, decision.core.waiting().SpecAt(spec), pool);
    if (!placed.tasks) {
      refused = placed.reason;
      if (--open == 0) return;
      walk.Drop();
      continue;
    }
    decision.Start(*top, pool, std::move(*placed.tasks), StartKind::kNow);
    walk.Advance();
  }
}

void GrowOne(Decision& decision, WorkloadIndex index) {
  const Workload& workload = decision.core.At(index);
  if (decision.evicted[static_cast<std::size_t>(index.value)]) return;
  const PoolIndex pool = PoolOf(decision.core.snapshot(), workload);
  Start grown{index, pool, StartKind::kGrow, {}};
  for (std::size_t g = 0; g < workload.groups.size(); ++g) {
    const TaskGroup& group = workload.groups[g];
    const auto number = static_cast<std::int32_t>(g);
    std::int32_t room = group.max_count - group.count - SurplusOf(workload, number);
    for (; room > 0; --room) {
      const Resources price =
          CostOf(decision.core.ShapeAt(group.shape), 1, decision.core.nodes().SmallestGpu(pool));
      Booking booking = BookingOf(workload, pool, price);
      booking.interactive = 0;
      if (Refuses(decision.core, booking)) break;
      auto task = PlaceOne(decision.core, decision.trial, group, pool);
      if (!task) break;
      task->group = number;
      booking.cost = CostOf(decision.core.snapshot(), workload, std::span(&*task, 1));
      decision.trial.Book(booking, +1);
      grown.tasks.push_back(*task);
    }
  }
  if (!grown.tasks.empty()) decision.plan.starts.push_back(std::move(grown));
}

}  // namespace

std::vector<LineIndex> LinesAt(Decision& decision, PoolIndex pool, std::size_t place,
                               LineFilter filter) {
  const Core& core = decision.core;
  std::vector<LineIndex> lines;
  for (std::size_t s = 0; s < core.waiting().spec_slots(); ++s) {
    const auto spec = SpecIndex(static_cast<std::int32_t>(s));
    if (core.waiting().LinesOf(spec).empty()) continue;
    if (filter == LineFilter::kOpen) {
      if (decision.SpecRefusal(spec, pool) || !Probe(decision, spec, pool)) continue;
    }
    for (LineIndex line : core.waiting().LinesOf(spec)) {
      const auto& pools = core.waiting().At(line).pools;
      if (place >= pools.size() || pools[place] != pool) continue;
      if (!decision.CursorOf(line).Done()) lines.push_back(line);
    }
  }
  return lines;
}

void Allocate(Decision& decision) {
  Core& core = decision.core;
  const std::size_t longest = decision.longest_order;
  for (std::size_t place = 0; place < longest; ++place) {
    for (std::size_t p = 0; p < core.snapshot().pools.size(); ++p) {
      AllocateIn(decision, PoolIndex(static_cast<std::int32_t>(p)), place);
    }
  }
}

void Grow(Decision& decision) {
  const auto& growing = decision.core.running().growing();
  for (auto at = growing.rbegin(); at != growing.rend(); ++at) GrowOne(decision, at->workload);
}

}  // namespace yard::sched
