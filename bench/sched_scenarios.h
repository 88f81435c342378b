// The published scenarios, restated as snapshots. Everything here is deterministic.
#pragma once

#include "sched/snapshot.h"

namespace yard::bench {

// `nodes` nodes of 8 GPUs in one pool.
sched::Snapshot Nodes(int nodes);

// A project; quota in GPUs.
sched::QueueIndex AddProject(sched::Snapshot& snapshot, int quota_gpus);

sched::ShapeIndex AddShape(sched::Snapshot& snapshot, int gpus);

struct Jobs {
  sched::QueueIndex queue;
  sched::ShapeIndex shape;
  int count = 1;  // workloads
  int tasks = 1;  // of each
};
void AddPending(sched::Snapshot& snapshot, const Jobs& jobs);

// One-GPU workloads that fill all nodes.
void FillWithRunning(sched::Snapshot& snapshot, sched::QueueIndex queue, sched::ShapeIndex shape);

// `nodes` x 8 GPUs and as many one-GPU jobs.
sched::Snapshot Fill(int nodes);
// The same cluster full, and a gang of 10 x 8 GPUs that has no right to anyone's place.
sched::Snapshot Unschedulable();
// 1,000 x 8 GPUs full of one-GPU jobs of a queue without quota; a gang of 100 x 8 deserves all.
sched::Snapshot ReclaimGang();
// 500 x 8 GPUs full, 4,000 one-GPU jobs of a queue that deserves all.
sched::Snapshot ReclaimMany();
// 5,000 nodes of 4 CPUs and 32 GiB, 50,000 pods of 0.1 CPU and 500 MiB.
sched::Snapshot KubeBasic();
// 10 departments of 100 projects, 50 workloads each; room for all.
sched::Snapshot Cohorts();
// 100,000 x 8 GPUs full, 1,000,000 waiting in 1,000 projects.
sched::Snapshot Huge();
// 100,000 x 8 GPUs empty, 1,000,000 waiting in 1,000 projects.
sched::Snapshot HugeEmpty();

}  // namespace yard::bench
