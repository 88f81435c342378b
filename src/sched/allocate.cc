#include "sched/allocate.h"

#include <algorithm>
#include <map>

#include "sched/backfill/heads.h"
#include "sched/filter/admit.h"
#include "sched/place/gang.h"

namespace yard::sched {
namespace {

// Those that are not refused yet. Lines lie together by spec.
std::size_t OpenSpecs(Decision& decision, PoolIndex pool, std::span<const LineIndex> lines) {
  std::size_t specs = 0;
  SpecIndex last = kNone<SpecIndex>;
  for (LineIndex line : lines) {
    const SpecIndex spec = decision.core.waiting().At(line).spec;
    if (spec != last && !decision.SpecRefusal(spec, pool)) ++specs;
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

// Serves the lines of one pool at one place of their order.
class PoolServer {
 public:
  PoolServer(Decision& decision, PoolIndex pool, std::span<const LineIndex> lines)
      : decision_(decision),
        pool_(pool),
        walk_(decision.core, pool, lines, decision.cursors),
        open_(OpenSpecs(decision, pool, lines)) {}

  void Run() {
    while (const auto top = walk_.Top()) {
      if (open_ == 0 && !Plans()) break;
      Serve(*top);
    }
    for (const auto& [line, cursor] : planned_from_) decision_.CursorOf(line) = cursor;
  }

 private:
  bool Plans() const {
    const auto depth = static_cast<std::size_t>(decision_.core.policy().backfill_depth);
    return decision_.holds && decision_.holds->size() < depth && tries_ < depth;
  }
  bool PlansFor(LineIndex line) const {
    if (!Plans()) return false;
    return decision_.core.policy().backfill == Backfill::kConservative ||
           MayBecomeHead(decision_, line);
  }

  void Serve(LineIndex line) {
    const SpecIndex index = decision_.core.waiting().At(line).spec;
    auto& refused = decision_.SpecRefusal(index, pool_);
    if (refused && !PlansFor(line)) return walk_.Drop();
    const Wish wish{decision_.CursorOf(line).next->workload, decision_.core.waiting().SpecAt(index),
                    decision_.BookingFor(line, pool_)};
    if (auto reason = decision_.Refusal(line, pool_)) {
      decision_.LineRefusal(line, pool_) = reason;
      return PassesWithTime(reason->cause) ? PlanLater(line, wish) : walk_.Drop();
    }
    if (decision_.holds && !decision_.holds->Allows(wish)) {
      decision_.LineRefusal(line, pool_) = Reason{.cause = Cause::kBackfill, .pool = pool_};
      return PlanLater(line, wish);
    }
    GangResult placed = decision_.holds
                            ? decision_.holds->Place(wish)
                            : PlaceGang(decision_.core, decision_.trial, wish.spec, pool_);
    if (placed.tasks) {
      decision_.Start(line, pool_, std::move(*placed.tasks), StartKind::kNow);
      return walk_.Advance();
    }
    if (!refused) {
      refused = placed.reason;
      --open_;
    }
    PlanLater(line, wish);
  }

  // Gives the workload a planned start, if one can be found, and goes on behind it.
  void PlanLater(LineIndex line, const Wish& wish) {
    if (!PlansFor(line)) return walk_.Drop();
    ++tries_;
    const auto at = decision_.holds->PlanLater(wish);
    if (!at) return walk_.Drop();
    Cursor& cursor = decision_.CursorOf(line);
    if (MayBecomeHead(decision_, line)) {
      MakeHead(decision_, line);
    } else {
      decision_.plan.planned.push_back({cursor.next->workload, *at});
    }
    planned_from_.try_emplace(line, cursor);
    cursor.Step();
    walk_.Advance();
  }

  Decision& decision_;
  PoolIndex pool_;
  Walk walk_;
  std::size_t open_;       // specs not refused yet
  std::size_t tries_ = 0;  // to plan a start
  std::map<LineIndex, Cursor> planned_from_;
};

// Starts what stays within its guarantee, if need be in places that are held for heads that borrow.
void ServeGuaranteedIn(Decision& decision, PoolIndex pool, std::size_t place) {
  const std::vector<LineIndex> lines = LinesAt(decision, pool, place, LineFilter::kOpen);
  if (lines.empty()) return;
  Walk walk(decision.core, pool, lines, decision.cursors);
  while (const auto top = walk.Top()) {
    const SpecIndex spec = decision.core.waiting().At(*top).spec;
    const Wish wish{decision.CursorOf(*top).next->workload, decision.core.waiting().SpecAt(spec),
                    decision.BookingFor(*top, pool)};
    const QueueIndex queue = wish.booking.queue;
    const bool may = !decision.core.order().InOneFlatOrder(queue, queue) &&
                     IsGuaranteed(decision.core, wish.booking) && !decision.Refusal(*top, pool) &&
                     !decision.SpecRefusal(spec, pool) &&
                     decision.holds->Allows(wish, Beside::kGuaranteed);
    GangResult placed = may ? decision.holds->Place(wish) : GangResult{};
    if (may && !placed.tasks) placed = decision.holds->Place(wish, Beside::kGuaranteed);
    if (!placed.tasks) {
      walk.Drop();
      continue;
    }
    decision.Start(*top, pool, std::move(*placed.tasks), StartKind::kNow);
    walk.Advance();
  }
}

void ServeGuaranteed(Decision& decision) {
  for (std::size_t place = 0; place < decision.longest_order; ++place) {
    for (std::size_t p = 0; p < decision.core.snapshot().pools.size(); ++p) {
      ServeGuaranteedIn(decision, PoolIndex(static_cast<std::int32_t>(p)), place);
    }
  }
}

void AllocateIn(Decision& decision, PoolIndex pool, std::size_t place) {
  const auto filter = decision.holds ? LineFilter::kAll : LineFilter::kOpen;
  const std::vector<LineIndex> lines = LinesAt(decision, pool, place, filter);
  if (!lines.empty()) PoolServer(decision, pool, lines).Run();
}

// More tasks of an elastic workload that has these, from what is free.
std::vector<TaskPlacement> MoreTasks(Decision& decision, const Workload& workload, PoolIndex pool,
                                     std::span<const TaskPlacement> has) {
  std::vector<TaskPlacement> more;
  for (std::size_t g = 0; g < workload.groups.size(); ++g) {
    const TaskGroup& group = workload.groups[g];
    const auto number = static_cast<std::int32_t>(g);
    const auto count =
        static_cast<std::int32_t>(std::ranges::count(has, number, &TaskPlacement::group));
    for (std::int32_t room = group.max_count - std::max(count, group.count); room > 0; --room) {
      const Resources price =
          CostOf(decision.core.ShapeAt(group.shape), 1, decision.core.nodes().SmallestGpu(pool));
      Booking booking = BookingOf(workload, pool, price);
      booking.interactive = 0;
      if (Refuses(decision.core, booking)) break;
      if (decision.kept.Refuses(decision.core, booking, Micros(0))) break;
      auto task = PlaceOne(decision.core, decision.trial, group, pool);
      if (!task) break;
      task->group = number;
      booking.cost = CostOf(decision.core.snapshot(), workload, std::span(&*task, 1));
      decision.trial.Book(booking, +1);
      decision.kept.Started(decision.core, booking, Micros(0));
      more.push_back(*task);
    }
  }
  return more;
}

bool MayGrow(const Core& core, const Workload& running) {
  if (core.policy().growth == Growth::kInPlace) return true;
  const Time now = core.snapshot().now;
  return running.started + core.policy().grow_min_runtime <= now &&
         running.rare->spared_until <= now;
}

void GrowOne(Decision& decision, WorkloadIndex index) {
  const Workload& workload = decision.core.At(index);
  if (decision.evicted[static_cast<std::size_t>(index.value)]) return;
  if (!MayGrow(decision.core, workload)) return;
  const PoolIndex pool = PoolOf(decision.core.snapshot(), workload);
  Start grown{index, pool, StartKind::kGrow, MoreTasks(decision, workload, pool, workload.tasks)};
  if (!grown.tasks.empty()) decision.plan.starts.push_back(std::move(grown));
}

// Work that only grows by starting again begins as large as it can. Not while others leave: their
// room is not free yet, and it is theirs for whom they leave.
void GrowStarts(Decision& decision) {
  if (!decision.plan.evictions.empty() || !decision.plan.moves.empty()) return;
  for (Start& start : decision.plan.starts) {
    if (start.kind != StartKind::kNow) continue;
    const auto more =
        MoreTasks(decision, decision.core.At(start.workload), start.pool, start.tasks);
    start.tasks.insert(start.tasks.end(), more.begin(), more.end());
  }
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
  HoldHeads(decision, ServeGuaranteed);
  const std::size_t longest = decision.longest_order;
  for (std::size_t place = 0; place < longest; ++place) {
    for (std::size_t p = 0; p < core.snapshot().pools.size(); ++p) {
      AllocateIn(decision, PoolIndex(static_cast<std::int32_t>(p)), place);
    }
  }
  ReturnHeads(decision);
}

void Grow(Decision& decision) {
  // Nobody undoes this: growing is the last step.
  if (decision.holds) decision.holds->Guard([](WorkloadIndex) { return true; });
  if (decision.core.policy().growth == Growth::kByRestart) GrowStarts(decision);
  const auto& growing = decision.core.running().growing();
  for (auto at = growing.rbegin(); at != growing.rend(); ++at) GrowOne(decision, at->workload);
}

}  // namespace yard::sched
