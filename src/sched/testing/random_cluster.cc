#include "sched/testing/random_cluster.h"

#include <bit>

#include "base/random.h"

namespace yard::sched {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed * 7919 + 17) {}
  std::int32_t To(std::int32_t most) {
    return static_cast<std::int32_t>(random_.Below(static_cast<std::uint64_t>(most) + 1));
  }
  bool OneIn(int n) { return random_.Below(static_cast<std::uint64_t>(n)) == 0; }

 private:
  SeededRandom random_;
};

void AddNodes(Snapshot& s, Dice& dice) {
  const int count = 1 + dice.To(4);
  for (int n = 0; n < count; ++n) {
    Node node;
    node.name = "n" + std::to_string(n);
    node.pool = PoolIndex(dice.To(static_cast<std::int32_t>(s.pools.size()) - 1));
    node.model = ModelIndex(dice.To(1));
    node.gpus.resize(static_cast<std::size_t>(dice.To(4)));
    for (Gpu& gpu : node.gpus) {
      gpu.island = static_cast<std::int8_t>(dice.To(1));
      if (dice.OneIn(12)) gpu.usable = MilliGpu(dice.To(1) * 500);
    }
    node.cpu = MilliCpu(2000 + 1000 * dice.To(8));
    node.memory = Mebibytes(1000 * (1 + dice.To(8)));
    if (dice.OneIn(4)) node.labels = {LabelIndex(0)};
    if (dice.OneIn(5)) node.taints = {LabelIndex(1)};
    if (dice.OneIn(10)) node.state = NodeState::kCordoned;
    node.domains = {DomainIndex(dice.To(1)), DomainIndex(2 + dice.To(2))};
    s.nodes.push_back(std::move(node));
  }
}

void AddQueue(Snapshot& s, Dice& dice, QueueIndex parent, QueueLevel level) {
  Queue queue;
  queue.name = "q" + std::to_string(s.queues.size());
  queue.parent = parent;
  queue.level = level;
  queue.created = Time{dice.To(3)};
  queue.shares.resize(s.pools.size());
  for (QueueShare& share : queue.shares) {
    share.quota.gpu = MilliGpu(dice.OneIn(6) ? kUnlimited : 500 * dice.To(8));
    if (dice.OneIn(4)) share.limit.gpu = MilliGpu(1000 * dice.To(6));
    if (dice.OneIn(5)) share.quota.cpu = MilliCpu(1000 * dice.To(6));
    share.weight = dice.To(3);
    share.priority = dice.To(1);
    share.usage_millionths = 100'000 * dice.To(5);
  }
  if (dice.OneIn(4)) queue.pool_order = {PoolIndex(dice.To(static_cast<int>(s.pools.size()) - 1))};
  if (dice.OneIn(8)) queue.fairness = static_cast<Fairness>(dice.To(3));
  if (dice.OneIn(6)) queue.reclaim_min_runtime = Hours(dice.To(3));
  if (dice.OneIn(8)) queue.max_interactive = dice.To(2);
  s.queues.push_back(std::move(queue));
}

void AddQueues(Snapshot& s, Dice& dice) {
  const int departments = dice.To(2);
  for (int d = 0; d < departments; ++d) {
    AddQueue(s, dice, kNone<QueueIndex>, QueueLevel::kDepartment);
    const auto parent = QueueIndex(static_cast<std::int32_t>(s.queues.size()) - 1);
    const int projects = 1 + dice.To(1);
    for (int p = 0; p < projects; ++p) AddQueue(s, dice, parent, QueueLevel::kProject);
  }
  const int projects = departments == 0 ? 1 + dice.To(2) : dice.To(1);
  for (int p = 0; p < projects; ++p) {
    AddQueue(s, dice, kNone<QueueIndex>, QueueLevel::kProject);
  }
}

TaskShape RandomShape(Dice& dice) {
  TaskShape shape;
  shape.gpu_count = dice.To(3);
  if (dice.OneIn(3)) {
    shape.gpu_count = 1 + dice.To(1);
    shape.gpu_each = MilliGpu(100 * (1 + dice.To(8)));
  }
  if (dice.OneIn(10)) {
    shape.gpu_count = 1;
    shape.gpu_memory_each = Mebibytes(1000 * (1 + dice.To(50)));
  }
  shape.cpu = MilliCpu(500 * dice.To(4));
  shape.memory = Mebibytes(250 * dice.To(4));
  if (dice.OneIn(8)) shape.models = {ModelIndex(dice.To(1))};
  if (dice.OneIn(8)) shape.labels = {{LabelIndex(0)}};
  if (dice.OneIn(3)) shape.tolerations = {LabelIndex(1)};
  return shape;
}

QueueIndex RandomLeaf(const Snapshot& s, Dice& dice) {
  for (;;) {
    const auto queue = QueueIndex(dice.To(static_cast<std::int32_t>(s.queues.size()) - 1));
    bool leaf = true;
    for (const Queue& other : s.queues) leaf = leaf && other.parent != queue;
    if (leaf) return queue;
  }
}

// Puts the tasks where they fit, ignoring labels and queues: running work may predate any rule.
bool PutAnywhere(Snapshot& s, Workload& workload, Dice& dice) {
  std::vector<std::vector<std::int64_t>> gpus;
  std::vector<Resources> rest;
  for (const Node& node : s.nodes) {
    auto& row = gpus.emplace_back();
    for (const Gpu& gpu : node.gpus) row.push_back(gpu.usable.value);
    rest.push_back({MilliGpu(0), node.cpu, node.memory});
  }
  const auto take = [&](const Workload& w, const TaskPlacement& task) {
    const auto n = static_cast<std::size_t>(task.node.value);
    const auto g = static_cast<std::size_t>(task.group);
    const TaskShape& shape = s.shapes[static_cast<std::size_t>(w.groups[g].shape.value)];
    rest[n] -= {MilliGpu(0), shape.cpu, shape.memory};
    for (std::uint64_t left = task.gpus; left != 0; left &= left - 1) {
      gpus[n][static_cast<std::size_t>(std::countr_zero(left))] -= task.each.value;
    }
  };
  for (const Workload& other : s.workloads) {
    for (const TaskPlacement& task : other.tasks) take(other, task);
  }
  const std::size_t start = static_cast<std::size_t>(dice.To(4));
  for (std::size_t g = 0; g < workload.groups.size(); ++g) {
    const TaskShape& shape = s.shapes[static_cast<std::size_t>(workload.groups[g].shape.value)];
    if (shape.gpu_memory_each.value > 0) return false;
    std::int32_t left = workload.groups[g].count + (workload.groups[g].max_count > 0 ? 1 : 0);
    for (std::size_t i = 0; i < s.nodes.size() && left > 0; ++i) {
      const std::size_t n = (i + start) % s.nodes.size();
      if (!workload.tasks.empty() &&
          s.nodes[n].pool != s.nodes[static_cast<std::size_t>(workload.tasks[0].node.value)].pool) {
        continue;
      }
      TaskPlacement at{static_cast<std::int32_t>(g), NodeIndex(static_cast<std::int32_t>(n)), 0,
                       shape.gpu_each};
      for (std::size_t k = 0; k < gpus[n].size(); ++k) {
        if (std::popcount(at.gpus) < shape.gpu_count && gpus[n][k] >= shape.gpu_each.value) {
          at.gpus |= std::uint64_t{1} << k;
        }
      }
      if (std::popcount(at.gpus) < shape.gpu_count || rest[n].cpu < shape.cpu ||
          rest[n].memory < shape.memory) {
        continue;
      }
      take(workload, at);
      workload.tasks.push_back(at);
      --left;
    }
    if (left > 0) return false;
  }
  return true;
}

Policy RandomPolicy(Dice& dice) {
  Policy policy;
  if (dice.OneIn(3)) policy.fairness = static_cast<Fairness>(dice.To(3));
  if (dice.OneIn(4)) policy.preemption = Preemption::kNever;
  if (dice.OneIn(4)) policy.backfill = Backfill::kConservative;
  if (dice.OneIn(3)) policy.max_moves = dice.To(3);
  if (dice.OneIn(2)) policy.people = People::kByUse;
  if (dice.OneIn(2)) policy.first_gpu = FirstGpu::kPreempts;
  if (policy.backfill != Backfill::kOff && dice.OneIn(2)) policy.backfill = Backfill::kHeads;
  return policy;
}

}  // namespace

Workload RandomWorkload(const Snapshot& s, std::uint64_t seed, std::int64_t id) {
  Dice dice(seed);
  Workload workload;
  workload.id = WorkloadId(id);
  workload.name = "w" + std::to_string(id);
  workload.queue = RandomLeaf(s, dice);
  if (!s.users.empty() && dice.OneIn(2)) {
    workload.user = UserIndex(dice.To(static_cast<std::int32_t>(s.users.size()) - 1));
  }
  if (dice.OneIn(4)) workload.preemptibility = Preemptibility::kNonPreemptible;
  if (dice.OneIn(4)) workload.kind = WorkloadKind::kInteractive;
  workload.priority = 40 + 10 * dice.To(2);
  workload.user_priority = dice.To(1);
  const int groups = dice.OneIn(5) ? 2 : 1;
  for (int g = 0; g < groups; ++g) {
    const std::int32_t count = dice.OneIn(3) ? 1 + dice.To(2) : 1;
    const std::int32_t most = dice.OneIn(6) ? count + 1 + dice.To(2) : 0;
    workload.groups.push_back(
        {ShapeIndex(dice.To(static_cast<std::int32_t>(s.shapes.size()) - 1)), count, most});
  }
  if (dice.OneIn(5)) workload.pools = {PoolIndex(dice.To(static_cast<int>(s.pools.size()) - 1))};
  if (dice.OneIn(8)) workload.required_level = static_cast<std::int8_t>(dice.To(1));
  if (dice.OneIn(8)) workload.preferred_level = 1;
  workload.created = s.now - Minutes(dice.To(600));
  if (dice.OneIn(2)) workload.time_limit = Hours(4 + dice.To(8));
  if (dice.OneIn(4)) workload.expected_runtime = Hours(1 + dice.To(6));
  return workload;
}

RandomCluster MakeRandomCluster(std::uint64_t seed) {
  Dice dice(seed);
  RandomCluster made;
  Snapshot& s = made.snapshot;
  s.now = Time{Days(30).value};
  s.pools = {{"a", Strategy::kBinPack, Strategy::kBinPack}};
  if (dice.OneIn(2)) s.pools.push_back({"b", Strategy::kSpread, Strategy::kSpread});
  // Seldom, since an outlook costs more than all else in so small a cluster.
  if (dice.OneIn(100)) s.pools[0].gpu_strategy = Strategy::kFragmentation;
  s.models = {{"small", Mebibytes(24'000)}, {"large", Mebibytes(80'000)}};
  s.labels = {"kind=x", "taint=y"};
  s.domains = {"z0", "z1", "r0", "r1", "r2"};
  AddNodes(s, dice);
  AddQueues(s, dice);
  const int users = dice.To(2);
  for (int u = 0; u < users; ++u) {
    s.users.push_back({"u" + std::to_string(u), dice.OneIn(3) ? 1000 * dice.To(3) : kUnlimited,
                       dice.OneIn(3) ? dice.To(2) : kUnlimited});
  }
  for (int i = 0; i < 5; ++i) s.shapes.push_back(RandomShape(dice));
  const int workloads = dice.To(14);
  for (int w = 0; w < workloads; ++w) {
    Workload workload = RandomWorkload(s, seed * 1000 + static_cast<std::uint64_t>(w), w + 1);
    workload.started = s.now - Minutes(dice.To(200));
    if (dice.OneIn(2) && PutAnywhere(s, workload, dice)) {
      workload.state = WorkloadState::kRunning;
      if (dice.OneIn(10)) workload.rare.Edit().stale_since = s.now - Minutes(dice.To(3));
    } else {
      workload.tasks.clear();
    }
    s.workloads.push_back(std::move(workload));
  }
  for (int windows = dice.OneIn(6) ? 1 + dice.To(1) : 0; windows > 0; --windows) {
    Reservation kept{.name = "r", .queue = RandomLeaf(s, dice), .pool = PoolIndex(0)};
    kept.gpu = MilliGpu(500 * (1 + dice.To(5)));
    kept.start = s.now + Hours(dice.To(4) - 2);
    kept.end = s.now + Hours(3 + dice.To(3));
    if (dice.OneIn(3)) kept.release_after = Minutes(30 + dice.To(120));
    s.reservations.push_back(std::move(kept));
  }
  made.policy = RandomPolicy(dice);
  for (std::size_t u = 0; u < s.users.size() && dice.OneIn(2); ++u) {
    s.past_use.push_back(
        {RandomLeaf(s, dice), UserIndex(static_cast<std::int32_t>(u)), 100'000 * dice.To(5)});
  }
  return made;
}

}  // namespace yard::sched
