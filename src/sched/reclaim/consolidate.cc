#include "sched/reclaim/consolidate.h"

#include <algorithm>
#include <bit>

#include "sched/allocate.h"
#include "sched/filter/fit.h"
#include "sched/place/find.h"
#include "sched/reclaim/reclaim.h"

namespace yard::sched {
namespace {

constexpr std::size_t kNodesTried = 32;

class Mover {
 public:
  Mover(Decision& decision, LineIndex line, PoolIndex pool)
      : decision_(decision),
        core_(decision.core),
        spec_(decision.core.waiting().SpecAt(decision.core.waiting().At(line).spec)),
        pool_(pool),
        for_whom_(decision.CursorOf(line).next->workload) {}

  // Beside the places of other protected heads.
  std::optional<std::vector<TaskPlacement>> Run() {
    if (decision_.holds) decision_.holds->Guard(OtherHeads());
    auto tasks = Place();
    if (decision_.holds) decision_.holds->Unguard();
    return tasks;
  }

 private:
  std::optional<std::vector<TaskPlacement>> Place() {
    const Trial::Mark mark = decision_.trial.Here();
    const std::size_t first = decision_.plan.moves.size();
    std::vector<TaskPlacement> tasks;
    for (std::size_t g = 0; g < spec_.groups.size(); ++g) {
      for (std::int32_t i = 0; i < spec_.groups[g].count; ++i) {
        if (PlaceTask(static_cast<std::int32_t>(g), tasks)) continue;
        UndoMoves(first);
        decision_.trial.RollBack(mark);
        return std::nullopt;
      }
    }
    return tasks;
  }

  std::size_t MovesLeft() const {
    const auto most = static_cast<std::size_t>(core_.policy().max_moves);
    return most - std::min(most, decision_.plan.moves.size());
  }

  void UndoMoves(std::size_t first) {
    auto& moves = decision_.plan.moves;
    for (; moves.size() > first; moves.pop_back()) {
      decision_.evicted[static_cast<std::size_t>(moves.back().workload.value)] = false;
    }
  }

  bool PlaceTask(std::int32_t g, std::vector<TaskPlacement>& tasks) {
    const ShapeIndex shape = spec_.groups[static_cast<std::size_t>(g)].shape;
    Found found = FindPlace(core_.snapshot(), core_.nodes(), shape, pool_, {});
    if (!found.at) {
      for (NodeIndex node : NearestToFitting(shape)) {
        if (!ClearOn(node, shape)) continue;
        found = FindPlace(core_.snapshot(), core_.nodes(), shape, pool_, {.only = {&node, 1}});
        break;
      }
    }
    if (!found.at) return false;
    found.at->group = g;
    decision_.trial.Take(core_.ShapeAt(shape), *found.at);
    tasks.push_back(*found.at);
    return true;
  }

  // Suitable nodes with the most room for the shape, at most a few.
  std::vector<NodeIndex> NearestToFitting(ShapeIndex shape) const {
    std::vector<std::pair<std::int64_t, NodeIndex>> nodes;
    for (ClassIndex c : core_.nodes().ClassesOf(pool_)) {
      if (core_.nodes().Fit(shape, c).cause != Cause::kNone) continue;
      const std::int16_t each = core_.nodes().Fit(shape, c).each;
      for (NodeIndex node : core_.nodes().Class(c).members) {
        if (!core_.nodes().At(node).in_service) continue;
        nodes.emplace_back(-RoomyGpus(core_.nodes(), node, each), node);
      }
    }
    const std::size_t most = std::min(nodes.size(), kNodesTried);
    std::ranges::partial_sort(nodes, nodes.begin() + static_cast<std::ptrdiff_t>(most));
    std::vector<NodeIndex> nearest;
    for (std::size_t i = 0; i < most; ++i) nearest.push_back(nodes[i].second);
    return nearest;
  }

  Holds::Spares OtherHeads() const {
    return [own = for_whom_](WorkloadIndex head) { return head != own; };
  }

  struct Movable {
    Resources cost;
    WorkloadId id;
    WorkloadIndex workload;
    TaskPlacement task;
  };

  std::vector<Movable> MovableOn(NodeIndex node) const {
    std::vector<Movable> movable;
    for (WorkloadIndex index : core_.running().On(node)) {
      const Workload& workload = core_.At(index);
      if (workload.preemptibility != Preemptibility::kPreemptible ||
          workload.mobility != Mobility::kMovable) {
        continue;
      }
      if (GuardEnd(core_, workload, Rule::kPreempt) > core_.snapshot().now) continue;
      if (decision_.holds && decision_.holds->StandsOn(workload, OtherHeads())) continue;
      if (workload.required_level >= 0 || workload.preferred_level >= 0) continue;
      if (decision_.evicted[static_cast<std::size_t>(index.value)]) continue;
      for (const TaskPlacement& task : workload.tasks) {
        if (task.node != node || task.gpus == 0) continue;
        movable.push_back(
            {CostOf(core_.snapshot(), workload, {&task, 1}), workload.id, index, task});
      }
    }
    std::ranges::sort(movable, [](const Movable& a, const Movable& b) {
      return std::tuple(a.cost.Values(), a.id, a.task.gpus) <
             std::tuple(b.cost.Values(), b.id, b.task.gpus);
    });
    return movable;
  }

  bool ClearOn(NodeIndex node, ShapeIndex shape) {
    const Trial::Mark mark = decision_.trial.Here();
    const std::size_t first = decision_.plan.moves.size();
    for (const Movable& movable : MovableOn(node)) {
      if (MovesLeft() == 0) break;
      if (!MoveOff(node, movable)) continue;
      if (NodeGap(core_.nodes(), node, core_.snapshot(), shape).cause == Cause::kNone) return true;
    }
    UndoMoves(first);
    decision_.trial.RollBack(mark);
    return false;
  }

  bool MoveOff(NodeIndex node, const Movable& movable) {
    const Workload& workload = core_.At(movable.workload);
    const ShapeIndex shape = workload.groups[static_cast<std::size_t>(movable.task.group)].shape;
    Found to =
        FindPlace(core_.snapshot(), core_.nodes(), shape, pool_, {.only = {}, .except = node});
    if (!to.at) return false;
    to.at->group = movable.task.group;
    decision_.trial.Release(core_.ShapeAt(shape), movable.task);
    decision_.trial.Take(core_.ShapeAt(shape), *to.at);
    decision_.evicted[static_cast<std::size_t>(movable.workload.value)] = true;
    decision_.plan.moves.push_back({movable.workload, movable.task, *to.at, for_whom_});
    return true;
  }

  Decision& decision_;
  Core& core_;
  const Spec& spec_;
  PoolIndex pool_;
  WorkloadIndex for_whom_;
};

// Only for what would fit if the free room lay together.
bool WorthMoving(Decision& decision, LineIndex index, PoolIndex pool) {
  const Line& line = decision.core.waiting().At(index);
  const Spec& spec = decision.core.waiting().SpecAt(line.spec);
  if (spec.preemptibility != Preemptibility::kPreemptible || spec.required_level >= 0) return false;
  const auto& refusal = decision.SpecRefusal(line.spec, pool);
  return refusal && (refusal->cause == Cause::kFragmented || refusal->cause == Cause::kGang);
}

void ConsolidateIn(Decision& decision, PoolIndex pool, std::size_t place) {
  auto lines = LinesAt(decision, pool, place, LineFilter::kAll);
  std::erase_if(lines, [&](LineIndex line) { return !WorthMoving(decision, line, pool); });
  if (lines.empty()) return;
  Walk walk(decision.core, pool, lines, decision.cursors);
  while (const auto top = walk.Top()) {
    if (decision.Refusal(*top, pool)) {
      walk.Drop();
      continue;
    }
    auto tasks = Mover(decision, *top, pool).Run();
    if (!tasks) {
      walk.Drop();
      continue;
    }
    decision.Start(*top, pool, std::move(*tasks), StartKind::kAfterEvictions);
    walk.Advance();
  }
}

}  // namespace

void Consolidate(Decision& decision) {
  if (decision.core.policy().max_moves <= 0) return;
  const std::size_t longest = decision.longest_order;
  for (std::size_t place = 0; place < longest; ++place) {
    for (std::size_t p = 0; p < decision.core.snapshot().pools.size(); ++p) {
      ConsolidateIn(decision, PoolIndex(static_cast<std::int32_t>(p)), place);
    }
  }
}

}  // namespace yard::sched
