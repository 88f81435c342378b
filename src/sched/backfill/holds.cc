#include "sched/backfill/holds.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "sched/filter/admit.h"

namespace yard::sched {
namespace {

constexpr Time kNeverEnds{std::numeric_limits<std::int64_t>::max()};
constexpr Micros kStopping = Seconds(1);  // evicted work is gone after this
// Work of unknown length is taken to need at least this much more.
constexpr Micros kLeastGuess = Minutes(10);
// A start within the guarantee may be so much later than one on borrowed GPUs.
constexpr Micros kWorthWaiting = Hours(6);
// GPUs are left idle for work of unknown length to end no longer than this.
constexpr Micros kLongestDrain = Hours(2);

auto OrderOf(const auto& end) {
  return std::pair(end.at, end.id);
}

}  // namespace

void Holds::FindEnds() {
  if (std::exchange(found_ends_, true)) return;
  const Time now = core_.snapshot().now;
  for (const Workload& workload : core_.snapshot().workloads) {
    if (workload.state != WorkloadState::kRunning) continue;
    End end{.id = workload.id, .workload = &workload, .tasks = workload.tasks};
    const Micros duration = DurationOf(workload);
    if (workload.rare->leaving_for) {
      end.at = now + kStopping;
      ends_.push_back(std::move(end));
      continue;
    }
    end.guessed = duration.value == 0;
    end.at = end.guessed ? now + std::max(now - workload.started, kLeastGuess)
                         : ExpectedEnd(workload, duration, now);
    const PoolIndex pool = PoolOf(core_.snapshot(), workload);
    end.booking = BookingOf(workload, pool, CostOf(core_.snapshot(), workload, workload.tasks));
    ends_.push_back(std::move(end));
  }
  std::ranges::sort(ends_, {}, OrderOf<End>);
}

Time Holds::EndOf(Time start, Micros duration) const {
  return duration.value == 0 ? kNeverEnds : start + duration;
}

NodeShare Holds::FreeOn(NodeIndex node) const {
  const NodeFree& free = core_.nodes().At(node);
  const auto gpus = core_.nodes().Gpus(node);
  return {node, free.cpu, free.memory, {gpus.begin(), gpus.end()}};
}

// Takes as much of the share as is free: a hold may lie where others still run.
void Holds::Take(const NodeShare& share) {
  const NodeShare free = FreeOn(share.node);
  TaskShape& rest = shapes_.emplace_back();
  rest.cpu = MilliCpu(std::clamp<std::int64_t>(share.cpu, 0, free.cpu));
  rest.memory = Mebibytes(std::clamp<std::int64_t>(share.memory, 0, free.memory));
  const TaskPlacement beside{0, share.node, 0, MilliGpu(0)};
  trial_.Take(rest, beside);
  guard_.emplace_back(&rest, beside);
  const TaskShape& none = shapes_.emplace_back();
  for (std::size_t g = 0; g < share.gpus.size(); ++g) {
    const auto milli = std::min(share.gpus[g], free.gpus[g]);
    if (milli <= 0) continue;
    const TaskPlacement gpu{0, share.node, std::uint64_t{1} << g, MilliGpu(milli)};
    trial_.Take(none, gpu);
    guard_.emplace_back(&none, gpu);
  }
}

std::vector<NodeShare> Holds::NeededOf(const Hold& hold) const {
  std::vector<NodeShare> needed;
  for (std::size_t i = 0; i < hold.free.size(); ++i) {
    const NodeShare& then = hold.free[i];
    const NodeShare now = FreeOn(then.node);
    NodeShare part = hold.then[i];
    part.cpu -= std::max<std::int64_t>(then.cpu - now.cpu, 0);
    part.memory -= std::max<std::int64_t>(then.memory - now.memory, 0);
    for (std::size_t g = 0; g < part.gpus.size(); ++g) {
      const int freed = std::max(then.gpus[g] - now.gpus[g], 0);
      part.gpus[g] = static_cast<std::int16_t>(part.gpus[g] - freed);
    }
    needed.push_back(std::move(part));
  }
  return needed;
}

// Takes what the holds leave no room for between two times.
void Holds::Meet(Time from, Time until, Beside beside) {
  std::vector<NodeShare> shares;
  for (const Hold& hold : holds_) {
    if (beside == Beside::kGuaranteed && hold.room.Borrows()) continue;
    if (hold.start >= until || hold.end <= from) continue;
    const std::vector<NodeShare> met = hold.start <= from ? hold.then : NeededOf(hold);
    shares.insert(shares.end(), met.begin(), met.end());
  }
  for (const NodeShare& share : shares) Take(share);
  guard_.clear();
}

void Holds::Guard(const Spares& spares) {
  guard_.clear();
  std::vector<NodeShare> shares;
  for (const Hold& hold : holds_) {
    if (hold.workload == kNone<WorkloadIndex> || !spares(hold.workload)) continue;
    const std::vector<NodeShare> needed = NeededOf(hold);
    shares.insert(shares.end(), needed.begin(), needed.end());
  }
  for (const NodeShare& share : shares) Take(share);
}

void Holds::Unguard() {
  for (const auto& [shape, at] : guard_) trial_.Release(*shape, at);
  guard_.clear();
}

bool Holds::StandsOn(const Workload& running, const Spares& spares) const {
  const auto overlaps = [&](const TaskPlacement& held) {
    return std::ranges::any_of(running.tasks, [&](const TaskPlacement& task) {
      return task.node == held.node && (task.gpus & held.gpus) != 0;
    });
  };
  return std::ranges::any_of(holds_, [&](const Hold& hold) {
    if (hold.workload == kNone<WorkloadIndex> || !spares(hold.workload)) return false;
    return std::ranges::any_of(hold.tasks, overlaps);
  });
}

bool Holds::FitsNow(const Hold& hold) {
  const Trial::Mark mark = trial_.Here();
  const bool fits = PlaceGang(core_, trial_, *hold.spec, hold.booking.pool).tasks.has_value();
  trial_.RollBack(mark);
  return fits;
}

bool Holds::Allows(const Wish& wish, Beside beside) {
  const Time end = EndOf(core_.snapshot().now, wish.spec.duration);
  return std::ranges::all_of(holds_, [&](const Hold& hold) {
    if (hold.workload == kNone<WorkloadIndex> || hold.workload == wish.workload) return true;
    if (hold.start >= end) return true;
    if (beside == Beside::kGuaranteed && hold.room.Borrows()) return true;
    if (hold.room.Allows(core_, wish.booking)) return true;
    // Two who could both start now must not keep each other from it.
    return hold.room.Allows(core_, wish.booking, Bounds::kHard) && FitsNow(hold);
  });
}

GangResult Holds::Place(const Wish& wish, Beside beside) {
  const Trial::Mark mark = trial_.Here();
  const Time now = core_.snapshot().now;
  Meet(now, EndOf(now, wish.spec.duration), beside);
  GangResult result = PlaceGang(core_, trial_, wish.spec, wish.booking.pool);
  trial_.RollBack(mark);
  if (result.tasks) {
    for (const TaskPlacement& task : *result.tasks) {
      trial_.Take(core_.ShapeAt(wish.spec.groups[static_cast<std::size_t>(task.group)].shape),
                  task);
    }
    return result;
  }
  if (holds_.empty()) return result;
  GangResult alone = PlaceGang(core_, trial_, wish.spec, wish.booking.pool);
  result.reason =
      alone.tasks ? Reason{.cause = Cause::kBackfill, .pool = wish.booking.pool} : alone.reason;
  trial_.RollBack(mark);
  return result;
}

void Holds::ReleaseEnded(std::size_t& next, Time at) {
  for (; next < ends_.size() && ends_[next].at <= at; ++next) {
    const End& end = ends_[next];
    for (const TaskPlacement& task : end.tasks) {
      const TaskGroup& group = end.workload->groups[static_cast<std::size_t>(task.group)];
      trial_.Release(core_.ShapeAt(group.shape), task);
    }
    if (end.booking) trial_.Book(*end.booking, -1);
  }
}

std::vector<NodeShare> Holds::SharesOf(const Spec& spec,
                                       const std::vector<TaskPlacement>& tasks) const {
  std::vector<NodeShare> shares;
  for (const TaskPlacement& task : tasks) {
    auto at = std::ranges::find(shares, task.node, &NodeShare::node);
    if (at == shares.end()) {
      shares.push_back({task.node, 0, 0, std::vector<std::int16_t>(FreeOn(task.node).gpus.size())});
      at = shares.end() - 1;
    }
    const TaskShape& shape = core_.ShapeAt(spec.groups[static_cast<std::size_t>(task.group)].shape);
    at->cpu += shape.cpu.value;
    at->memory += shape.memory.value;
    for (std::uint64_t rest = task.gpus; rest != 0; rest &= rest - 1) {
      auto& milli = at->gpus[static_cast<std::size_t>(std::countr_zero(rest))];
      milli = static_cast<std::int16_t>(milli + task.each.value);
    }
  }
  return shares;
}

std::vector<Time> Holds::TimesOfChange() const {
  std::vector<Time> times;
  times.reserve(ends_.size() + holds_.size());
  for (const End& end : ends_) times.push_back(end.at);
  for (const Hold& hold : holds_) times.push_back(hold.end);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::erase(times, kNeverEnds);
  return times;
}

bool Holds::Relies(const std::vector<TaskPlacement>& tasks, std::size_t ended, Time at) const {
  if (at - core_.snapshot().now <= kLongestDrain) return true;
  for (std::size_t e = 0; e < ended; ++e) {
    if (!ends_[e].guessed) continue;
    for (const TaskPlacement& gone : ends_[e].tasks) {
      if (std::ranges::find(tasks, gone.node, &TaskPlacement::node) != tasks.end()) return false;
    }
  }
  return true;
}

// Whether the queues let it start at its time, with those that ended by then out of the books.
bool Holds::FitsBooks(const Wish& wish, Hold& hold) {
  const Trial::Mark mark = trial_.Here();
  for (const Hold& other : holds_) {
    if (other.workload == kNone<WorkloadIndex>) continue;
    if (other.start <= hold.start && hold.start < other.end) trial_.Book(other.booking, +1);
  }
  hold.room = Headroom(core_, wish.booking);
  trial_.RollBack(mark);
  return hold.room.Suffices() && std::ranges::none_of(holds_, [&](const Hold& other) {
           const bool later = other.workload != kNone<WorkloadIndex> && other.start > hold.start &&
                              other.start < hold.end;
           return later && !other.room.Allows(core_, wish.booking);
         });
}

bool Holds::CanTakeAll(const Wish& wish, const std::vector<TaskPlacement>& tasks) {
  for (const TaskPlacement& task : tasks) {
    const TaskShape& shape =
        core_.ShapeAt(wish.spec.groups[static_cast<std::size_t>(task.group)].shape);
    if (!core_.nodes().At(task.node).in_service) return false;
    if (!core_.nodes().CanTake(shape, task)) return false;
    trial_.Take(shape, task);
  }
  return true;
}

std::optional<Holds::Hold> Holds::TryAt(const Wish& wish, Time at,
                                        const std::vector<TaskPlacement>* tasks) {
  if (tasks == nullptr && !MayFit(core_, wish.spec, wish.booking.pool)) return std::nullopt;
  const Time end = EndOf(at, wish.spec.duration);
  Hold hold{.workload = wish.workload,
            .spec = &wish.spec,
            .booking = wish.booking,
            .start = at,
            .end = end};
  if (!FitsBooks(wish, hold)) return std::nullopt;
  const Trial::Mark mark = trial_.Here();
  Meet(at, end);
  std::optional<std::vector<TaskPlacement>> placed;
  if (tasks == nullptr) {
    placed = PlaceGang(core_, trial_, wish.spec, wish.booking.pool).tasks;
  } else if (CanTakeAll(wish, *tasks)) {
    placed = *tasks;
  }
  trial_.RollBack(mark);
  if (!placed) return std::nullopt;
  hold.then = SharesOf(wish.spec, *placed);
  hold.tasks = std::move(*placed);
  return hold;
}

void Holds::Add(Hold hold) {
  for (Hold& other : holds_) {
    const bool later = other.workload != kNone<WorkloadIndex> && other.start > hold.start &&
                       other.start < hold.end;
    if (later) other.room.Use(core_, hold.booking);
  }
  holds_.push_back(std::move(hold));
}

std::optional<Time> Holds::PlanFrom(const Wish& wish, const Search& search) {
  FindEnds();
  const bool waits = search.tasks == nullptr && core_.policy().backfill == Backfill::kHeads &&
                     MayBeGuaranteed(core_, wish.booking);
  const Trial::Mark mark = trial_.Here();
  std::optional<Hold> made;
  std::size_t next = 0;
  std::vector<Time> times = TimesOfChange();
  if (search.from) {
    std::erase_if(times, [&](Time at) { return at <= *search.from; });
    times.insert(times.begin(), *search.from);
  }
  for (const Time at : times) {
    if (search.before && at >= *search.before) break;
    if (made && at - made->start > kWorthWaiting) break;
    ReleaseEnded(next, at);
    std::optional<Hold> here = TryAt(wish, at, search.tasks);
    if (!here || !Relies(here->tasks, next, at)) continue;
    if (here->room.Borrows() && (made || search.least == Standing::kGuaranteed)) continue;
    for (const NodeShare& share : here->then) here->free.push_back(FreeOn(share.node));
    made = std::move(here);
    if (!made->room.Borrows() || !waits) break;
  }
  trial_.RollBack(mark);
  if (!made) return std::nullopt;
  Add(*std::move(made));
  return holds_.back().start;
}

std::optional<Time> Holds::PlanLater(const Wish& wish) {
  return PlanFrom(wish, {});
}

bool Holds::PlanSooner(const Wish& wish, Time before, Standing least) {
  return PlanFrom(wish, {.before = before, .least = least}).has_value();
}

bool Holds::Keep(const Wish& wish, const HeldStart& start) {
  const Time from = std::max(start.at, core_.snapshot().now + kStopping);
  return PlanFrom(wish, {.from = from, .tasks = &start.tasks}).has_value();
}

void Holds::Drop(WorkloadIndex workload) {
  const auto dropped = std::ranges::find(holds_, workload, &Hold::workload);
  if (dropped == holds_.end()) return;
  Booking back = dropped->booking;
  back.cost = Resources{} - back.cost;
  for (Hold& other : holds_) {
    const bool later = other.workload != kNone<WorkloadIndex> && other.start > dropped->start &&
                       other.start < dropped->end;
    if (later) other.room.Use(core_, back);
  }
  std::erase_if(holds_, [&](const Hold& hold) { return hold.workload == workload; });
}

std::optional<HeldStart> Holds::Of(WorkloadIndex workload) const {
  const auto at = std::ranges::find(holds_, workload, &Hold::workload);
  if (at == holds_.end()) return std::nullopt;
  return HeldStart{at->start, at->tasks};
}

bool Holds::Borrows(WorkloadIndex workload) const {
  const auto at = std::ranges::find(holds_, workload, &Hold::workload);
  return at != holds_.end() && at->room.Borrows();
}

void Holds::Promised(const Workload& workload, std::vector<NodeShare> rest) {
  const Time start = core_.snapshot().now + kStopping;
  holds_.push_back(
      {.start = start, .end = EndOf(start, DurationOf(workload)), .then = std::move(rest)});
}

void Holds::Started(const Workload& workload, const Booking& booking,
                    std::vector<TaskPlacement> tasks) {
  const Micros duration = DurationOf(workload);
  const Time over = EndOf(core_.snapshot().now, duration);
  for (Hold& hold : holds_) {
    if (hold.workload != kNone<WorkloadIndex> && hold.start < over) {
      hold.room.Use(core_, booking);
    }
  }
  if (duration.value == 0) return;
  End end{.at = over, .id = workload.id, .workload = &workload, .tasks = std::move(tasks)};
  end.booking = booking;
  const auto at =
      found_ends_ ? std::ranges::upper_bound(ends_, OrderOf(end), {}, OrderOf<End>) : ends_.end();
  ends_.insert(at, std::move(end));
}

}  // namespace yard::sched
