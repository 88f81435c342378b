#include "bench/sched_scenarios.h"

namespace yard::bench {

using namespace sched;

namespace {

constexpr int kGpus = 8;

QueueIndex AddQueue(Snapshot& snapshot, QueueIndex parent, QueueLevel level, int quota_gpus) {
  Queue queue;
  queue.name = "q" + std::to_string(snapshot.queues.size());
  queue.parent = parent;
  queue.level = level;
  queue.shares.resize(snapshot.pools.size());
  queue.shares[0].quota.gpu = MilliGpu(quota_gpus * 1000);
  snapshot.queues.push_back(std::move(queue));
  return QueueIndex(static_cast<std::int32_t>(snapshot.queues.size()) - 1);
}

Workload NewWorkload(const Snapshot& snapshot, QueueIndex queue, ShapeIndex shape, int tasks) {
  Workload workload;
  const auto number = static_cast<std::int64_t>(snapshot.workloads.size());
  workload.id = WorkloadId(number);
  workload.queue = queue;
  workload.groups = {{shape, tasks, 0}};
  workload.created = Time{number};
  return workload;
}

Snapshot HugeNodes() {
  Snapshot snapshot = Nodes(100'000);
  for (int q = 0; q < 1000; ++q) AddProject(snapshot, 800);
  for (int gpus : {1, 2, 4, 8}) AddShape(snapshot, gpus);
  snapshot.workloads.reserve(1'900'000);
  return snapshot;
}

void AddMillion(Snapshot& snapshot) {
  for (int i = 0; i < 1'000'000; ++i) {
    snapshot.workloads.push_back(
        NewWorkload(snapshot, QueueIndex(i % 1000), ShapeIndex((i / 1000) % 4), 1));
  }
}

}  // namespace

Snapshot Nodes(int nodes) {
  Snapshot snapshot;
  snapshot.now = Time{Days(10).value};
  snapshot.pools.push_back({.name = "default"});
  for (int n = 0; n < nodes; ++n) {
    Node node;
    node.name = "n" + std::to_string(n);
    node.pool = PoolIndex(0);
    node.gpus.resize(kGpus);
    node.cpu = MilliCpu(64'000);
    node.memory = Mebibytes(512 * 1024);
    snapshot.nodes.push_back(std::move(node));
  }
  return snapshot;
}

QueueIndex AddProject(Snapshot& snapshot, int quota_gpus) {
  return AddQueue(snapshot, kNone<QueueIndex>, QueueLevel::kProject, quota_gpus);
}

ShapeIndex AddShape(Snapshot& snapshot, int gpus) {
  TaskShape shape;
  shape.gpu_count = gpus;
  shape.cpu = MilliCpu(1000 * gpus);
  shape.memory = Mebibytes(1024 * gpus);
  snapshot.shapes.push_back(shape);
  return ShapeIndex(static_cast<std::int32_t>(snapshot.shapes.size()) - 1);
}

void AddPending(Snapshot& snapshot, const Jobs& jobs) {
  for (int i = 0; i < jobs.count; ++i) {
    snapshot.workloads.push_back(NewWorkload(snapshot, jobs.queue, jobs.shape, jobs.tasks));
  }
}

void FillWithRunning(Snapshot& snapshot, QueueIndex queue, ShapeIndex shape) {
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    for (std::size_t g = 0; g < kGpus; ++g) {
      Workload workload = NewWorkload(snapshot, queue, shape, 1);
      workload.state = WorkloadState::kRunning;
      workload.started = snapshot.now - Minutes(static_cast<std::int64_t>((n * 7 + g) % 5000) + 1);
      workload.tasks = {
          {0, NodeIndex(static_cast<std::int32_t>(n)), std::uint64_t{1} << g, MilliGpu(1000)}};
      snapshot.workloads.push_back(std::move(workload));
    }
  }
}

Snapshot Fill(int nodes) {
  Snapshot snapshot = Nodes(nodes);
  const QueueIndex queue = AddProject(snapshot, 8 * nodes);
  AddPending(snapshot, {queue, AddShape(snapshot, 1), 8 * nodes});
  return snapshot;
}

Snapshot Unschedulable() {
  Snapshot snapshot = Nodes(500);
  const QueueIndex owner = AddProject(snapshot, 4000);
  FillWithRunning(snapshot, owner, AddShape(snapshot, 1));
  AddPending(snapshot, {AddProject(snapshot, 0), AddShape(snapshot, 8), 1, 10});
  return snapshot;
}

Snapshot ReclaimGang() {
  Snapshot snapshot = Nodes(1000);
  const QueueIndex borrower = AddProject(snapshot, 0);
  FillWithRunning(snapshot, borrower, AddShape(snapshot, 1));
  AddPending(snapshot, {AddProject(snapshot, 8000), AddShape(snapshot, 8), 1, 100});
  return snapshot;
}

Snapshot ReclaimMany() {
  Snapshot snapshot = Nodes(500);
  const QueueIndex borrower = AddProject(snapshot, 0);
  const ShapeIndex one = AddShape(snapshot, 1);
  FillWithRunning(snapshot, borrower, one);
  AddPending(snapshot, {AddProject(snapshot, 4000), one, 4000});
  return snapshot;
}

Snapshot KubeBasic() {
  Snapshot snapshot = Nodes(5000);
  for (Node& node : snapshot.nodes) {
    node.gpus.clear();
    node.cpu = MilliCpu(4000);
    node.memory = Mebibytes(32 * 1024);
  }
  snapshot.pools[0].cpu_strategy = Strategy::kSpread;
  TaskShape pod;
  pod.cpu = MilliCpu(100);
  pod.memory = Mebibytes(500);
  snapshot.shapes.push_back(pod);
  AddPending(snapshot, {AddProject(snapshot, 0), ShapeIndex(0), 50'000});
  return snapshot;
}

Snapshot Cohorts() {
  Snapshot snapshot = Nodes(6250);
  std::vector<QueueIndex> projects;
  for (int d = 0; d < 10; ++d) {
    const QueueIndex parent = AddQueue(snapshot, kNone<QueueIndex>, QueueLevel::kDepartment, 5000);
    for (int p = 0; p < 100; ++p) {
      projects.push_back(AddQueue(snapshot, parent, QueueLevel::kProject, 20));
    }
  }
  const ShapeIndex one = AddShape(snapshot, 1);
  for (int i = 0; i < 50; ++i) {
    for (QueueIndex project : projects) AddPending(snapshot, {project, one});
  }
  return snapshot;
}

Snapshot Huge() {
  Snapshot snapshot = HugeNodes();
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    for (std::size_t g = 0; g < kGpus; ++g) {
      const auto queue = QueueIndex(static_cast<std::int32_t>((n * kGpus + g) % 1000));
      Workload workload = NewWorkload(snapshot, queue, ShapeIndex(0), 1);
      workload.state = WorkloadState::kRunning;
      workload.started = snapshot.now - Minutes(static_cast<std::int64_t>(n % 5000) + 1);
      workload.tasks = {
          {0, NodeIndex(static_cast<std::int32_t>(n)), std::uint64_t{1} << g, MilliGpu(1000)}};
      snapshot.workloads.push_back(std::move(workload));
    }
  }
  AddMillion(snapshot);
  return snapshot;
}

Snapshot HugeEmpty() {
  Snapshot snapshot = HugeNodes();
  AddMillion(snapshot);
  return snapshot;
}

}  // namespace yard::bench
