#include "sched/reclaim/room.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "sched/place/find.h"

namespace yard::sched {
namespace {

// What goes together: some surplus tasks of an elastic workload, or a whole workload.
struct Unit {
  WorkloadIndex workload;
  std::vector<TaskPlacement> tasks;
  bool operator==(const Unit&) const = default;
};

// Work that is lost if the unit goes: GPUs times time run.
std::int64_t LostWork(const Core& core, const Unit& unit) {
  const Workload& workload = core.At(unit.workload);
  const Micros ran = core.snapshot().now - workload.started;
  const Resources cost = CostOf(core.snapshot(), workload, unit.tasks);
  return (cost.gpu.value + 1) * (ran.value / 1'000'000 + 1);
}

// Would a task of this shape fit on the node if the units were gone?
bool FitsWithout(const Core& core, NodeIndex node, ShapeIndex index, std::span<const Unit> units) {
  const NodeFree& free = core.nodes().At(node);
  const TaskShape& shape = core.ShapeAt(index);
  const ShapeFit& fit = core.nodes().Fit(index, free.node_class);
  std::array<std::int16_t, 64> gpus{};
  std::ranges::copy(core.nodes().Gpus(node), gpus.begin());
  std::int64_t cpu = free.cpu - shape.cpu.value;
  std::int64_t memory = free.memory - shape.memory.value;
  for (const Unit& unit : units) {
    const Workload& workload = core.At(unit.workload);
    for (const TaskPlacement& task : unit.tasks) {
      if (task.node != node) continue;
      const TaskShape& gone =
          core.ShapeAt(workload.groups[static_cast<std::size_t>(task.group)].shape);
      cpu += gone.cpu.value;
      memory += gone.memory.value;
      for (std::uint64_t rest = task.gpus; rest != 0; rest &= rest - 1) {
        auto& gpu = gpus[static_cast<std::size_t>(std::countr_zero(rest))];
        gpu = static_cast<std::int16_t>(gpu + task.each.value);
      }
    }
  }
  const auto roomy = std::count_if(gpus.begin(), gpus.begin() + free.gpu_count,
                                   [&](std::int16_t milli) { return milli >= fit.each; });
  return cpu >= 0 && memory >= 0 && roomy >= shape.gpu_count;
}

class RoomMaker {
 public:
  RoomMaker(Decision& decision, LineIndex line, PoolIndex pool, const RoomRules& rules)
      : decision_(decision),
        core_(decision.core),
        spec_(decision.core.waiting().SpecAt(decision.core.waiting().At(line).spec)),
        pool_(pool),
        rules_(rules),
        booking_(decision.BookingFor(line, pool)) {}

  std::optional<std::vector<TaskPlacement>> Run() {
    const Trial::Mark mark = decision_.trial.Here();
    std::vector<TaskPlacement> tasks;
    bool good = EvictForBounds();
    for (const std::int32_t g : Groups()) {
      for (std::int32_t i = 0; good && i < spec_.groups[static_cast<std::size_t>(g)].count; ++i) {
        good = PlaceTask(g, tasks);
      }
    }
    good = good && KeepsTopology(tasks);
    if (good) {
      // The outcome is judged with the workload itself booked.
      decision_.trial.Book(booking_, +1);
      good = rules_.accepted();
    }
    if (!good) {
      decision_.trial.RollBack(mark);
      for (const Unit& unit : gone_) Flag(unit) = false;
      gone_.clear();
      return std::nullopt;
    }
    decision_.trial.Book(booking_, -1);
    return tasks;
  }

  std::vector<Unit>& gone() { return gone_; }

 private:
  std::vector<bool>::reference Flag(const Unit& unit) {
    return decision_.evicted[static_cast<std::size_t>(unit.workload.value)];
  }

  bool KeepsTopology(const std::vector<TaskPlacement>& tasks) const {
    if (spec_.required_level < 0) return true;
    const auto domain = [&](const TaskPlacement& task) {
      const Node& node = core_.snapshot().nodes[static_cast<std::size_t>(task.node.value)];
      const auto level = static_cast<std::uint8_t>(spec_.required_level);
      return level < node.domains.size() ? node.domains[level] : kNone<DomainIndex>;
    };
    return std::ranges::all_of(tasks, [&](const TaskPlacement& task) {
      return domain(task) != kNone<DomainIndex> && domain(task) == domain(tasks.front());
    });
  }

  // Victims in order until the queues admit the workload.
  bool EvictForBounds() {
    while (rules_.refused && rules_.refused()) {
      const auto unit = NextVictim();
      if (!unit) return false;
      EvictAll({*unit});
    }
    return true;
  }

  std::vector<std::int32_t> Groups() const {
    std::vector<std::int32_t> order(spec_.groups.size());
    for (std::size_t g = 0; g < order.size(); ++g) order[g] = static_cast<std::int32_t>(g);
    std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
      return core_.ShapeAt(spec_.groups[static_cast<std::size_t>(a)].shape).gpu_count >
             core_.ShapeAt(spec_.groups[static_cast<std::size_t>(b)].shape).gpu_count;
    });
    return order;
  }

  bool PlaceTask(std::int32_t g, std::vector<TaskPlacement>& tasks) {
    const ShapeIndex shape = spec_.groups[static_cast<std::size_t>(g)].shape;
    Found found = FindPlace(core_.snapshot(), core_.nodes(), shape, pool_, {});
    if (!found.at) {
      const NodeIndex node = FreeUpNode(shape);
      if (node == kNone<NodeIndex>) return false;
      found = FindPlace(core_.snapshot(), core_.nodes(), shape, pool_, {.only = {&node, 1}});
      if (!found.at) return false;
    }
    found.at->group = g;
    decision_.trial.Take(core_.ShapeAt(shape), *found.at);
    tasks.push_back(*found.at);
    return true;
  }

  bool Suitable(NodeIndex node, ShapeIndex shape) const {
    const NodeFree& free = core_.nodes().At(node);
    return free.in_service && core_.nodes().Class(free.node_class).pool == pool_ &&
           core_.nodes().Fit(shape, free.node_class).cause == Cause::kNone;
  }

  // Offers further victims until some node could hold the shape; evicts there what is needed.
  NodeIndex FreeUpNode(ShapeIndex shape) {
    for (auto& [node, units] : gathered_) {
      // Nodes passed over for an earlier, larger task may do for this one; rare, so simply asked.
      if (shape != last_shape_ && Suitable(node, shape) && EvictOn(node, shape)) return node;
    }
    last_shape_ = shape;
    while (const auto unit = NextVictim()) {
      for (const TaskPlacement& task : unit->tasks) {
        if (!Suitable(task.node, shape)) continue;
        auto& here = gathered_[task.node];
        if (std::ranges::find(here, *unit) == here.end()) here.push_back(*unit);
        if (EvictOn(task.node, shape)) return task.node;
      }
    }
    return kNone<NodeIndex>;
  }

  bool IsWhole(const Unit& unit) const {
    return unit.tasks.size() == core_.At(unit.workload).tasks.size();
  }

  // True if some other way of evicting the same workload shares tasks with the unit.
  bool Overlaps(const std::vector<Unit>& units, const Unit& unit) const {
    return std::ranges::any_of(units, [&](const Unit& other) {
      if (&other == &unit || other.workload != unit.workload) return false;
      return IsWhole(other) || IsWhole(unit) || other == unit;
    });
  }

  // Evicts the cheapest sufficient part of what is gathered on the node; false if not possible.
  bool EvictOn(NodeIndex node, ShapeIndex shape) {
    auto& here = gathered_[node];
    std::erase_if(here, [&](const Unit& unit) { return Flag(unit) || Overlaps(gone_, unit); });
    std::erase_if(here, [&](const Unit& unit) { return !IsWhole(unit) && Overlaps(here, unit); });
    if (!FitsWithout(core_, node, shape, here)) return false;
    std::vector<Unit> chosen = here;
    std::ranges::stable_sort(chosen, std::greater{},
                             [&](const Unit& unit) { return LostWork(core_, unit); });
    for (std::size_t i = 0; i < chosen.size();) {
      std::vector<Unit> fewer = chosen;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (FitsWithout(core_, node, shape, fewer)) {
        chosen = std::move(fewer);
      } else {
        ++i;
      }
    }
    std::ranges::reverse(chosen);
    return EvictAll(chosen);
  }

  bool EvictAll(const std::vector<Unit>& units) {
    const Trial::Mark mark = decision_.trial.Here();
    for (std::size_t i = 0; i < units.size(); ++i) {
      const Workload& victim = core_.At(units[i].workload);
      const Resources cost = CostOf(core_.snapshot(), victim, units[i].tasks);
      if (!rules_.allowed(victim, cost)) {
        decision_.trial.RollBack(mark);
        for (std::size_t k = 0; k < i; ++k) Flag(units[k]) = false;
        gone_.resize(gone_.size() - i);
        return false;
      }
      Evict(units[i], victim, cost);
    }
    return true;
  }

  void Evict(const Unit& unit, const Workload& victim, const Resources& cost) {
    for (const TaskPlacement& task : unit.tasks) {
      decision_.trial.Release(
          core_.ShapeAt(victim.groups[static_cast<std::size_t>(task.group)].shape), task);
    }
    Booking booking = BookingOf(victim, pool_, cost);
    if (unit.tasks.size() < victim.tasks.size()) booking.interactive = 0;
    decision_.trial.Book(booking, -1);
    if (unit.tasks.size() == victim.tasks.size()) Flag(unit) = true;
    gone_.push_back(unit);
  }

  // Surplus tasks of all victims first, then whole victims; queue by queue.
  std::optional<Unit> NextVictim() {
    while (ready_.empty() && pass_ < 2) {
      if (queue_ == rules_.queues.size()) {
        ++pass_;
        queue_ = 0;
        continue;
      }
      const auto& victims = core_.running().Victims(rules_.queues[queue_], pool_);
      if (!at_) at_ = HasOffers() ? FirstOf(victims) : victims.end();
      if (*at_ == victims.end()) {
        ++queue_;
        at_.reset();
        continue;
      }
      Offer((*at_)->workload);
      ++*at_;
    }
    if (ready_.empty()) return std::nullopt;
    Unit next = std::move(ready_.back());
    ready_.pop_back();
    return next;
  }

  // Only elastic work has surplus tasks.
  bool HasOffers() const {
    return pass_ > 0 || core_.running().AnyElastic(rules_.queues[queue_], pool_);
  }

  // Skips what earlier workloads of this decision have evicted, remembering how far.
  std::set<VictimKey>::const_iterator FirstOf(const std::set<VictimKey>& victims) {
    auto [known, fresh] = decision_.victims_left.try_emplace(&victims, victims.begin());
    while (known->second != victims.end() &&
           decision_.evicted[static_cast<std::size_t>(known->second->workload.value)]) {
      ++known->second;
    }
    return known->second;
  }

  void Offer(WorkloadIndex index) {
    const Workload& victim = core_.At(index);
    if (decision_.evicted[static_cast<std::size_t>(index.value)]) return;
    if (!rules_.offered(victim)) return;
    if (rules_.spares && decision_.holds && decision_.holds->StandsOn(victim, rules_.spares))
      return;
    if (pass_ == 1) {
      const bool shrunk = std::ranges::find(gone_, index, &Unit::workload) != gone_.end();
      if (!shrunk) ready_.push_back({index, victim.tasks});
      return;
    }
    for (std::size_t g = 0; g < victim.groups.size(); ++g) {
      if (victim.groups[g].max_count == 0) continue;
      const auto group = static_cast<std::int32_t>(g);
      std::int32_t spare = SurplusOf(victim, group);
      for (std::size_t t = victim.tasks.size(); t-- > 0 && spare > 0;) {
        if (victim.tasks[t].group != group) continue;
        ready_.push_back({index, {victim.tasks[t]}});
        --spare;
      }
    }
  }

  Decision& decision_;
  Core& core_;
  const Spec& spec_;
  PoolIndex pool_;
  const RoomRules& rules_;
  Booking booking_;
  std::map<NodeIndex, std::vector<Unit>> gathered_;
  std::vector<Unit> gone_;
  ShapeIndex last_shape_ = kNone<ShapeIndex>;
  std::vector<Unit> ready_;  // next victims, the last first
  int pass_ = 0;             // 0: surplus tasks, 1: whole workloads
  std::size_t queue_ = 0;
  std::optional<std::set<VictimKey>::const_iterator> at_;
};

// The tasks of the line's next workload, taken in the trial, with the victims evicted and listed
// in the plan; or nothing, and nothing changed.
std::optional<std::vector<TaskPlacement>> MakeRoom(Decision& decision, LineIndex line,
                                                   PoolIndex pool, const RoomRules& rules) {
  RoomMaker maker(decision, line, pool, rules);
  auto tasks = maker.Run();
  if (!tasks) return std::nullopt;
  const WorkloadIndex for_whom = decision.CursorOf(line).next->workload;
  auto& evictions = decision.plan.evictions;
  const std::size_t first = evictions.size();
  for (auto& unit : maker.gone()) {
    decision.evicted[static_cast<std::size_t>(unit.workload.value)] = true;
    const auto known =
        std::find_if(evictions.begin() + static_cast<std::ptrdiff_t>(first), evictions.end(),
                     [&](const Eviction& eviction) { return eviction.victim == unit.workload; });
    if (known == evictions.end()) {
      evictions.push_back({unit.workload, rules.rule, for_whom, std::move(unit.tasks)});
    } else {
      known->tasks.insert(known->tasks.end(), unit.tasks.begin(), unit.tasks.end());
    }
  }
  return tasks;
}

}  // namespace

bool StartInRoom(Decision& decision, LineIndex line, PoolIndex pool, const RoomRules& rules,
                 Walk& walk) {
  const std::size_t first = decision.plan.evictions.size();
  const bool guards = decision.holds && rules.spares;
  if (guards) decision.holds->Guard(rules.spares);
  auto tasks = MakeRoom(decision, line, pool, rules);
  if (guards) decision.holds->Unguard();
  if (!tasks) return false;
  decision.Start(line, pool, std::move(*tasks), StartKind::kAfterEvictions);
  walk.Advance();
  std::set<QueueIndex> lost;
  for (std::size_t e = first; e < decision.plan.evictions.size(); ++e) {
    lost.insert(decision.core.At(decision.plan.evictions[e].victim).queue);
  }
  const QueueIndex own = decision.core.waiting().At(line).queue;
  const OrderTree& order = decision.core.order();
  // The walk has just seen to it, unless others of the project have lost something.
  if (order.At(order.ScopeOf(own)).kind != OrderNode::Kind::kPeople) lost.erase(own);
  for (QueueIndex queue : lost) walk.Reorder(queue);
  return true;
}

}  // namespace yard::sched
