#include "sched/explain/what_if.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "sched/decide.h"
#include "sched/explain/explain.h"

namespace yard::sched {
namespace {

using Kind = Change::Kind;

constexpr std::int32_t kMovesTried = 8;
constexpr std::int64_t kMostSteps = 64;
constexpr std::int64_t kPartStep = 10;        // milli-GPU
constexpr std::int64_t kGpuMemoryStep = 256;  // MiB

// Changes every task shape of the workload by the same rule.
void Reshape(Core& core, Workload& workload, const std::function<void(TaskShape&)>& rule) {
  for (TaskGroup& group : workload.groups) {
    TaskShape shape = core.ShapeAt(group.shape);
    rule(shape);
    group.shape = core.Intern(std::move(shape));
  }
}

void SetGpus(TaskShape& shape, std::int64_t milli) {
  if (shape.gpu_count == 0) return;
  shape.gpu_memory_each = Mebibytes(0);
  shape.gpu_count = milli < 1000 ? 1 : static_cast<std::int32_t>(milli / 1000);
  shape.gpu_each = MilliGpu(milli < 1000 ? milli : 1000);
}

std::vector<LabelIndex> AllTaints(const Core& core) {
  std::vector<LabelIndex> taints;
  for (const Node& node : core.snapshot().nodes) {
    taints.insert(taints.end(), node.taints.begin(), node.taints.end());
  }
  std::ranges::sort(taints);
  taints.erase(std::unique(taints.begin(), taints.end()), taints.end());
  return taints;
}

void ChangeShape(Core& core, Workload& workload, const Change& change) {
  const std::vector<LabelIndex> taints = AllTaints(core);
  Reshape(core, workload, [&](TaskShape& shape) {
    switch (change.kind) {
      case Kind::kFewerGpus:
        return SetGpus(shape, change.amount);
      case Kind::kSmallerPart:
        if (shape.gpu_count > 0) shape.gpu_each = MilliGpu(change.amount);
        return;
      case Kind::kLessGpuMemory:
        if (shape.gpu_count > 0) shape.gpu_memory_each = Mebibytes(change.amount);
        return;
      case Kind::kLessCpu:
        shape.cpu = MilliCpu(change.amount);
        return;
      case Kind::kLessMemory:
        shape.memory = Mebibytes(change.amount);
        return;
      case Kind::kAnyModel:
        shape.models.clear();
        return;
      case Kind::kAnyLabels:
        shape.labels.clear();
        return;
      default:
        shape.tolerations = taints;
    }
  });
}

void ChangeWorkload(Core& core, Workload& workload, const Change& change) {
  switch (change.kind) {
    case Kind::kFewerTasks:
      for (TaskGroup& group : workload.groups) {
        group.count = std::min(group.count, static_cast<std::int32_t>(change.amount));
        if (group.max_count > 0) group.max_count = std::max(group.max_count, group.count);
      }
      return;
    case Kind::kOtherPool:
      workload.pools = {change.pool};
      return;
    case Kind::kPreemptible:
      workload.preemptibility = Preemptibility::kPreemptible;
      return;
    case Kind::kNoTopology:
      workload.required_level = -1;
      return;
    case Kind::kShorterLimit:
      workload.time_limit = Micros(change.amount);
      workload.expected_runtime = Micros(0);
      return;
    case Kind::kHigherPriority:
      workload.priority = static_cast<std::int32_t>(change.amount);
      return;
    case Kind::kAsTraining:
      workload.kind = WorkloadKind::kTraining;
      return;
    default:
      ChangeShape(core, workload, change);
  }
}

std::int64_t Raised(std::int64_t bound, std::int64_t by) {
  return bound == kUnlimited ? kUnlimited : bound + by;
}

// Replaces in the same slot: the slot freed last is taken first.
void Replace(Core& core, WorkloadIndex index, Workload workload) {
  core.Remove(index);
  core.Add(std::move(workload));
}

// Bounds of CPU and memory that a queue refuses, per task.
std::int64_t LeftPerTask(const Reason& reason, std::int64_t tasks) {
  return std::max<std::int64_t>(0, reason.bound - reason.allocated) /
         std::max<std::int64_t>(1, tasks);
}

class Finder {
 public:
  Finder(Core& core, WorkloadIndex index)
      : core_(core), index_(index), before_(core.At(index)), why_(Explain(core, index)) {}

  std::vector<Advice> Run() {
    if (why_.verdict != Verdict::kWaits) return {};
    TryGpus();
    TryTasks();
    TryPools();
    TryQueues();
    TryNumbers();
    TryConstraints();
    TryTime();
    TryTogether();
    TryMoves();
    return std::move(found_);
  }

 private:
  using Changes = std::vector<Change>;

  // What the changes cost others if the workload then starts.
  std::optional<std::vector<Loss>> Works(const Changes& changes) {
    std::vector<QueueShare> shares;
    for (const Change& change : changes) {
      if (change.queue != kNone<QueueIndex>) {
        shares.push_back(core_.RulesOf(change.queue, change.pool));
      }
      Apply(core_, index_, change);
    }
    const Plan plan = Decide(core_);
    Replace(core_, index_, before_);
    for (const Change& change : changes) {
      if (change.queue == kNone<QueueIndex>) continue;
      core_.SetShare(change.queue, change.pool, shares.front());
      shares.erase(shares.begin());
    }
    const auto start = std::ranges::find(plan.starts, index_, &Start::workload);
    if (start == plan.starts.end()) return std::nullopt;
    return LossesIn(plan);
  }

  std::vector<Loss> LossesIn(const Plan& plan) const {
    std::vector<Loss> losses;
    const auto add = [&](WorkloadIndex victim, Fate fate) {
      losses.push_back({victim, core_.snapshot().now - core_.At(victim).started, fate});
    };
    for (const Eviction& eviction : plan.evictions) {
      if (eviction.for_whom != index_ || !IsWhole(eviction, core_.snapshot())) continue;
      add(eviction.victim, Fate::kStops);
    }
    for (const Restart& restart : RestartsIn(plan, core_.snapshot())) {
      if (restart.for_whom != index_) continue;
      add(restart.workload, restart.why == Restart::Why::kMove ? Fate::kMoves : Fate::kShrinks);
    }
    return losses;
  }

  bool Offer(const Changes& changes) {
    auto losses = Works(changes);
    if (losses) found_.push_back({changes, *std::move(losses)});
    return losses.has_value();
  }

  // The most of an amount that still works, in steps from one step up; 0: none does.
  std::int64_t Most(Kind kind, std::int64_t below, std::int64_t step) {
    std::int64_t low = 0;
    for (std::int64_t high = (below - 1) / step; low < high;) {
      const std::int64_t middle = (low + high + 1) / 2;
      if (Works({{kind, middle * step}})) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low * step;
  }
  bool OfferMost(Kind kind, std::int64_t below, std::int64_t step) {
    const std::int64_t most = Most(kind, below, step);
    return most > 0 && Offer({{kind, most}});
  }

  void TryGpus() {
    TaskShape largest;
    for (const TaskGroup& group : before_.groups) {
      const TaskShape& shape = core_.ShapeAt(group.shape);
      if (shape.gpu_count > largest.gpu_count) largest = shape;
    }
    if (largest.gpu_count == 0) return;
    if (largest.gpu_memory_each.value > 0) {
      OfferMost(Kind::kLessGpuMemory, largest.gpu_memory_each.value, kGpuMemoryStep);
      return;
    }
    if (largest.gpu_each.value < 1000) {
      OfferMost(Kind::kSmallerPart, largest.gpu_each.value, kPartStep);
      return;
    }
    for (std::int64_t gpus = largest.gpu_count - 1; gpus > 0; --gpus) {
      if (Offer({{Kind::kFewerGpus, gpus * 1000}})) return;
    }
    OfferMost(Kind::kFewerGpus, 1000, kPartStep);
  }

  void TryTasks() {
    std::int64_t most = 0;
    for (const TaskGroup& group : before_.groups) most = std::max<std::int64_t>(most, group.count);
    OfferMost(Kind::kFewerTasks, most, 1);
  }

  void TryPools() {
    const std::vector<PoolIndex> own = PoolsOf(core_.snapshot(), before_);
    for (std::size_t p = 0; p < core_.snapshot().pools.size(); ++p) {
      const auto pool = PoolIndex(static_cast<std::int32_t>(p));
      if (std::ranges::find(own, pool) == own.end()) Offer({{Kind::kOtherPool, 0, pool}});
    }
  }

  // The smallest raise of the bound that refused, in whole GPUs.
  void TryQueues() {
    if (before_.preemptibility == Preemptibility::kNonPreemptible) Offer({{Kind::kPreemptible}});
    const Reason& reason = why_.dominant;
    const bool limit = reason.cause == Cause::kOverLimit || reason.cause == Cause::kQueueBlocked;
    const QueueIndex queue = reason.queue == kNone<QueueIndex> || reason.cause == Cause::kReserved
                                 ? before_.queue
                                 : reason.queue;
    if (reason.pool == kNone<PoolIndex> || reason.resource != Resource::kGpu) return;
    for (std::int64_t gpus = 1; gpus <= kMostSteps; ++gpus) {
      const Kind kind = limit ? Kind::kHigherLimit : Kind::kMoreQuota;
      if (Offer({{kind, gpus * 1000, reason.pool, queue}})) return;
      if (gpus * 1000 > reason.requested + 1000) return;
    }
  }

  // Amounts that would fit, one for each resource that some reason names.
  Changes Numbers() const {
    Changes changes;
    std::int64_t tasks = 0;
    for (const TaskGroup& group : before_.groups) tasks += group.count;
    auto add = [&changes](Kind kind, std::int64_t amount) {
      const auto same = std::ranges::find(changes, kind, &Change::kind);
      if (amount <= 0) return;
      if (same == changes.end()) {
        changes.push_back({kind, amount});
      } else {
        same->amount = std::min(same->amount, amount);
      }
    };
    for (const Reason& reason : why_.reasons) {
      const bool cpu = reason.resource == Resource::kCpu;
      if (!cpu && reason.resource != Resource::kMemory) continue;
      const Kind kind = cpu ? Kind::kLessCpu : Kind::kLessMemory;
      if (reason.cause == Cause::kCpu || reason.cause == Cause::kMemory) {
        add(kind, MostOnANode(reason.cause));
      } else if (reason.cause == Cause::kNodeTooSmall) {
        add(kind, reason.bound);
      } else if (reason.cause < Cause::kNoNodes) {
        add(kind, LeftPerTask(reason, tasks));
      }
    }
    return changes;
  }

  void TryNumbers() {
    for (const Change& change : Numbers()) Offer({change});
  }

  std::int64_t MostOnANode(Cause cause) const {
    std::int64_t most = 0;
    for (const NodeRow& row : why_.nodes) {
      if (row.gap.cause == cause) most = std::max(most, row.gap.has);
    }
    return most;
  }

  void TryConstraints() {
    Offer({{Kind::kAnyModel}});
    Offer({{Kind::kAnyLabels}});
    Offer({{Kind::kTolerate}});
    if (before_.required_level >= 0) Offer({{Kind::kNoTopology}});
    if (before_.kind == WorkloadKind::kInteractive) Offer({{Kind::kAsTraining}});
  }

  // Over before the reservation or the planned start that it would cut into.
  Micros UntilOthersTurn() const {
    for (const Reason& reason : why_.reasons) {
      const bool timely = reason.cause == Cause::kReserved || reason.cause == Cause::kBackfill;
      if (!timely || reason.from <= core_.snapshot().now) continue;
      const std::int64_t minute = Minutes(1).value;
      return Micros((reason.from - core_.snapshot().now).value / minute * minute);
    }
    return Micros(0);
  }

  void TryTime() {
    const bool timely = std::ranges::any_of(why_.reasons, [](const Reason& reason) {
      return reason.cause == Cause::kReserved || reason.cause == Cause::kBackfill;
    });
    for (const Micros limit :
         {UntilOthersTurn(), Hours(12), Hours(6), Hours(4), Hours(2), Hours(1), Minutes(30)}) {
      if (!timely) break;
      if (limit.value <= 0 || (before_.time_limit.value > 0 && limit >= before_.time_limit))
        continue;
      if (Offer({{Kind::kShorterLimit, limit.value}})) break;
    }
    for (const std::int32_t priority : {65, 80, 90}) {
      if (priority <= before_.priority) continue;
      if (Offer({{Kind::kHigherPriority, priority}})) break;
    }
  }

  // Whether the free GPUs would do if they lay together.
  void TryMoves() {
    const bool scattered = std::ranges::any_of(why_.reasons, [](const Reason& reason) {
      return reason.cause == Cause::kFragmented || reason.cause == Cause::kGang;
    });
    if (!scattered || core_.policy().max_moves > 0) return;
    core_.SetMoves(kMovesTried);
    const Plan plan = Decide(core_);
    const auto start = std::ranges::find(plan.starts, index_, &Start::workload);
    const bool moved = std::ranges::find(plan.moves, index_, &Move::for_whom) != plan.moves.end();
    if (start != plan.starts.end() && moved) {
      found_.push_back({{{Kind::kMoves, std::ssize(plan.moves)}}, LossesIn(plan)});
    }
    core_.SetMoves(0);
  }

  // Several amounts at once, where none alone suffices.
  void TryTogether() {
    if (!found_.empty()) return;
    Changes all = Numbers();
    for (const Reason& reason : why_.reasons) {
      if (reason.cause != Cause::kNodeTooSmall) continue;
      if (reason.resource == Resource::kGpu && reason.bound > 0 && reason.requested > 0) {
        all.insert(all.begin(), {Kind::kFewerGpus, reason.bound});
      }
      if (reason.resource == Resource::kGpuMemory && reason.bound > 0) {
        all.insert(all.begin(), {Kind::kLessGpuMemory, reason.bound});
      }
    }
    if (all.size() > 1 && Offer(all)) return;
    if (before_.preemptibility != Preemptibility::kNonPreemptible) return;
    all.push_back({Kind::kPreemptible});
    if (all.size() > 1) Offer(all);
  }

  Core& core_;
  WorkloadIndex index_;
  Workload before_;
  Explanation why_;
  std::vector<Advice> found_;
};

}  // namespace

void Apply(Core& core, WorkloadIndex index, const Change& change) {
  if (change.kind == Kind::kMoves) {
    return core.SetMoves(static_cast<std::int32_t>(change.amount));
  }
  if (change.kind == Kind::kMoreQuota || change.kind == Kind::kHigherLimit) {
    QueueShare share = core.RulesOf(change.queue, change.pool);
    MilliGpu& bound = change.kind == Kind::kMoreQuota ? share.quota.gpu : share.limit.gpu;
    bound = MilliGpu(Raised(bound.value, change.amount));
    return core.SetShare(change.queue, change.pool, share);
  }
  Workload workload = core.At(index);
  ChangeWorkload(core, workload, change);
  Replace(core, index, std::move(workload));
}

std::vector<Advice> WhatWouldHelp(Core& core, WorkloadIndex workload) {
  return Finder(core, workload).Run();
}

Possibility CheckEver(const Snapshot& snapshot, const Policy& policy, const Workload& workload) {
  Snapshot empty = WithoutWork(snapshot, Machines::kAll);
  empty.workloads = {workload};
  Workload& alone = empty.workloads.front();
  alone.state = WorkloadState::kPending;
  alone.tasks.clear();
  Core core(std::move(empty), policy);
  const Explanation why = Explain(core, WorkloadIndex(0));
  if (why.verdict == Verdict::kStarts || why.outlook != Outlook::kNever) return {};
  return {false, why.reasons, WhatWouldHelp(core, WorkloadIndex(0))};
}

}  // namespace yard::sched
