#include "sched/backfill/holds.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace yard::sched {
namespace {

constexpr Time kNeverEnds{std::numeric_limits<std::int64_t>::max()};
constexpr Micros kStopping = Seconds(1);  // evicted work is gone after this

}  // namespace

Holds::Holds(Core& core, Trial& trial) : core_(core), trial_(trial) {
  for (const Workload& workload : core.snapshot().workloads) {
    if (workload.state != WorkloadState::kRunning) continue;
    const Micros duration = DurationOf(workload);
    if (duration.value == 0 && !workload.leaving_for) continue;
    const Time at = workload.leaving_for ? core.snapshot().now + kStopping
                                         : ExpectedEnd(workload, duration, core.snapshot().now);
    ends_.push_back({at, workload.id, &workload, workload.tasks});
  }
  std::ranges::sort(ends_, {}, [](const End& end) { return std::pair(end.at, end.id); });
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
  trial_.Take(rest, {0, share.node, 0, MilliGpu(0)});
  const TaskShape& none = shapes_.emplace_back();
  for (std::size_t g = 0; g < share.gpus.size(); ++g) {
    const auto milli = std::min(share.gpus[g], free.gpus[g]);
    if (milli > 0) trial_.Take(none, {0, share.node, std::uint64_t{1} << g, MilliGpu(milli)});
  }
}

// Takes what the holds leave no room for between two times.
void Holds::Meet(Time from, Time until) {
  for (const Hold& hold : holds_) {
    if (hold.start >= until || hold.end <= from) continue;
    for (const NodeShare& share : hold.start <= from ? hold.then : hold.now) Take(share);
  }
}

GangResult Holds::Place(const Spec& spec, PoolIndex pool) {
  const Trial::Mark mark = trial_.Here();
  const Time now = core_.snapshot().now;
  Meet(now, EndOf(now, spec.duration));
  GangResult result = PlaceGang(core_, trial_, spec, pool);
  trial_.RollBack(mark);
  if (result.tasks) {
    for (const TaskPlacement& task : *result.tasks) {
      trial_.Take(core_.ShapeAt(spec.groups[static_cast<std::size_t>(task.group)].shape), task);
    }
    return result;
  }
  if (PlaceGang(core_, trial_, spec, pool).tasks) {
    result.reason = {.cause = Cause::kBackfill, .pool = pool};
  }
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

std::optional<Time> Holds::PlanLater(const Spec& spec, PoolIndex pool) {
  const Trial::Mark mark = trial_.Here();
  std::optional<Hold> made;
  std::vector<NodeShare> freed;
  std::size_t next = 0;
  for (const Time at : TimesOfChange()) {
    ReleaseEnded(next, at);
    const Trial::Mark ended = trial_.Here();
    Meet(at, EndOf(at, spec.duration));
    GangResult placed = PlaceGang(core_, trial_, spec, pool);
    trial_.RollBack(ended);
    if (!placed.tasks) continue;
    made = Hold{at, EndOf(at, spec.duration), SharesOf(spec, *placed.tasks), {}};
    for (const NodeShare& share : made->then) freed.push_back(FreeOn(share.node));
    break;
  }
  trial_.RollBack(mark);
  if (!made) return std::nullopt;
  for (std::size_t i = 0; i < freed.size(); ++i) {
    const NodeShare free_now = FreeOn(freed[i].node);
    NodeShare part = made->then[i];
    part.cpu -= freed[i].cpu - free_now.cpu;
    part.memory -= freed[i].memory - free_now.memory;
    for (std::size_t g = 0; g < part.gpus.size(); ++g) {
      part.gpus[g] =
          static_cast<std::int16_t>(part.gpus[g] - (freed[i].gpus[g] - free_now.gpus[g]));
    }
    made->now.push_back(std::move(part));
  }
  holds_.push_back(std::move(*made));
  return holds_.back().start;
}

void Holds::Promised(const Workload& workload, std::vector<NodeShare> rest) {
  const Time start = core_.snapshot().now + kStopping;
  holds_.push_back({start, EndOf(start, DurationOf(workload)), std::move(rest), {}});
}

void Holds::Started(const Workload& workload, std::vector<TaskPlacement> tasks) {
  const Micros duration = DurationOf(workload);
  if (duration.value == 0) return;
  End end{core_.snapshot().now + duration, workload.id, &workload, std::move(tasks)};
  const auto at = std::ranges::upper_bound(ends_, std::pair(end.at, end.id), {},
                                           [](const End& e) { return std::pair(e.at, e.id); });
  ends_.insert(at, std::move(end));
}

}  // namespace yard::sched
