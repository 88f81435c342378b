#include "sched/explain/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "sched/decide.h"
#include "sched/explain/explain.h"

namespace yard::sched {
namespace {

using Kind = Change::Kind;

constexpr std::int64_t kMostSteps = 64;

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

class Finder {
 public:
  Finder(Core& core, WorkloadIndex index)
      : core_(core), index_(index), before_(core.At(index)), why_(Explain(core, index)) {}

  std::vector<Change> Run() {
    if (why_.verdict != Verdict::kWaits) return {};
    TryGpus();
    TryTasks();
    TryPools();
    TryQueues();
    TryNumbers();
    TryConstraints();
    TryTime();
    return std::move(found_);
  }

 private:
  bool Works(const Change& change) {
    QueueShare share;
    const bool queue = change.queue != kNone<QueueIndex>;
    if (queue) share = core_.RulesOf(change.queue, change.pool);
    Apply(core_, index_, change);
    const Plan plan = Decide(core_);
    Replace(core_, index_, before_);
    if (queue) core_.SetShare(change.queue, change.pool, share);
    return std::ranges::find(plan.starts, index_, &Start::workload) != plan.starts.end();
  }
  bool Offer(const Change& change) {
    const bool works = Works(change);
    if (works) found_.push_back(change);
    return works;
  }

  void TryGpus() {
    std::int64_t most = 0;
    bool whole = true;
    for (const TaskGroup& group : before_.groups) {
      const TaskShape& shape = core_.ShapeAt(group.shape);
      most = std::max<std::int64_t>(most, shape.gpu_count);
      if (shape.gpu_each.value < 1000 || shape.gpu_memory_each.value > 0) whole = false;
    }
    if (most == 0) return;
    for (std::int64_t gpus = whole ? most - 1 : 0; gpus > 0; --gpus) {
      if (Offer({Kind::kFewerGpus, gpus * 1000})) return;
    }
    const std::int64_t part = core_.ShapeAt(before_.groups[0].shape).gpu_each.value;
    for (const std::int64_t milli : {750, 500, 250, 100}) {
      if ((most == 1 || whole) && milli < part && Offer({Kind::kFewerGpus, milli})) return;
    }
  }

  // The most tasks that start, by halving; what is offered has been tried.
  void TryTasks() {
    std::int64_t most = 0;
    for (const TaskGroup& group : before_.groups) most = std::max<std::int64_t>(most, group.count);
    std::int64_t low = 0;
    for (std::int64_t high = most - 1; low < high;) {
      const std::int64_t middle = (low + high + 1) / 2;
      if (Works({Kind::kFewerTasks, middle})) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    if (low > 0) Offer({Kind::kFewerTasks, low});
  }

  void TryPools() {
    const std::vector<PoolIndex> own = PoolsOf(core_.snapshot(), before_);
    for (std::size_t p = 0; p < core_.snapshot().pools.size(); ++p) {
      const auto pool = PoolIndex(static_cast<std::int32_t>(p));
      if (std::ranges::find(own, pool) == own.end()) Offer({Kind::kOtherPool, 0, pool});
    }
  }

  // The smallest raise of the bound that refused, in whole GPUs.
  void TryQueues() {
    if (before_.preemptibility == Preemptibility::kNonPreemptible) Offer({Kind::kPreemptible});
    const Reason& reason = why_.dominant;
    const bool limit = reason.cause == Cause::kOverLimit || reason.cause == Cause::kQueueBlocked;
    const QueueIndex queue = reason.queue == kNone<QueueIndex> || reason.cause == Cause::kReserved
                                 ? before_.queue
                                 : reason.queue;
    if (reason.pool == kNone<PoolIndex>) return;
    for (std::int64_t gpus = 1; gpus <= kMostSteps; ++gpus) {
      const Kind kind = limit ? Kind::kHigherLimit : Kind::kMoreQuota;
      if (Offer({kind, gpus * 1000, reason.pool, queue})) return;
      if (gpus * 1000 > reason.requested + 1000) return;
    }
  }

  void TryNumbers() {
    const Reason& reason = why_.dominant;
    if (reason.cause == Cause::kCpu) Offer({Kind::kLessCpu, MostOnANode(Cause::kCpu)});
    if (reason.cause == Cause::kMemory) Offer({Kind::kLessMemory, MostOnANode(Cause::kMemory)});
    if (reason.cause != Cause::kNodeTooSmall) return;
    if (reason.resource == Resource::kCpu) Offer({Kind::kLessCpu, reason.bound});
    if (reason.resource == Resource::kMemory) Offer({Kind::kLessMemory, reason.bound});
  }

  std::int64_t MostOnANode(Cause cause) const {
    std::int64_t most = 0;
    for (const NodeRow& row : why_.nodes) {
      if (row.gap.cause == cause) most = std::max(most, row.gap.has);
    }
    return most;
  }

  void TryConstraints() {
    Offer({Kind::kAnyModel});
    Offer({Kind::kAnyLabels});
    Offer({Kind::kTolerate});
    if (before_.required_level >= 0) Offer({Kind::kNoTopology});
    if (before_.kind == WorkloadKind::kInteractive) Offer({Kind::kAsTraining});
  }

  void TryTime() {
    const bool timely =
        why_.dominant.cause == Cause::kReserved || why_.dominant.cause == Cause::kBackfill;
    for (const Micros limit : {Hours(12), Hours(6), Hours(4), Hours(2), Hours(1), Minutes(30)}) {
      if (!timely) break;
      if (before_.time_limit.value > 0 && limit >= before_.time_limit) continue;
      if (Offer({Kind::kShorterLimit, limit.value})) break;
    }
    for (const std::int32_t priority : {65, 80, 90}) {
      if (priority <= before_.priority) continue;
      if (Offer({Kind::kHigherPriority, priority})) break;
    }
  }

  Core& core_;
  WorkloadIndex index_;
  Workload before_;
  Explanation why_;
  std::vector<Change> found_;
};

}  // namespace

void Apply(Core& core, WorkloadIndex index, const Change& change) {
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

std::vector<Change> WhatWouldHelp(Core& core, WorkloadIndex workload) {
  return Finder(core, workload).Run();
}

Possibility CheckEver(Snapshot snapshot, const Policy& policy, const Workload& workload) {
  for (Node& node : snapshot.nodes) node.state = NodeState::kReady;
  snapshot.reservations.clear();
  snapshot.workloads = {workload};
  Workload& alone = snapshot.workloads.front();
  alone.state = WorkloadState::kPending;
  alone.tasks.clear();
  Core core(std::move(snapshot), policy);
  const Explanation why = Explain(core, WorkloadIndex(0));
  if (why.verdict == Verdict::kStarts) return {};
  return {false, why.dominant, WhatWouldHelp(core, WorkloadIndex(0))};
}

std::string Describe(const Change& change, const Snapshot& snapshot) {
  const auto pool = [&] {
    return snapshot.pools[static_cast<std::size_t>(change.pool.value)].name;
  };
  const auto queue = [&] {
    return snapshot.queues[static_cast<std::size_t>(change.queue.value)].name;
  };
  switch (change.kind) {
    case Kind::kFewerGpus:
      return fmt::format("with {} GPU per task", FormatMilli(change.amount));
    case Kind::kFewerTasks:
      return fmt::format("with {} tasks", change.amount);
    case Kind::kOtherPool:
      return "on pool " + pool();
    case Kind::kPreemptible:
      return "as preemptible";
    case Kind::kMoreQuota:
      return fmt::format("if the quota of {} in pool {} were {} GPU larger", queue(), pool(),
                         FormatMilli(change.amount));
    case Kind::kHigherLimit:
      return fmt::format("if the limit of {} in pool {} were {} GPU larger", queue(), pool(),
                         FormatMilli(change.amount));
    case Kind::kLessCpu:
      return fmt::format("with {} CPU per task", FormatMilli(change.amount));
    case Kind::kLessMemory:
      return fmt::format("with {} MiB of memory per task", change.amount);
    case Kind::kAnyModel:
      return "on any GPU model";
    case Kind::kAnyLabels:
      return "without required labels";
    case Kind::kTolerate:
      return "tolerating the taints";
    case Kind::kNoTopology:
      return "without the required topology";
    case Kind::kShorterLimit:
      return fmt::format("with a time limit of {} min", change.amount / Minutes(1).value);
    case Kind::kHigherPriority:
      return fmt::format("with priority {}", change.amount);
    case Kind::kAsTraining:
      return "as training instead of interactive";
  }
  return {};
}

}  // namespace yard::sched
