// Random small clusters, repeatable from a seed: for tests of what must always hold.
#pragma once

#include <cstdint>

#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sched {

struct RandomCluster {
  Snapshot snapshot;
  Policy policy;
};

// A valid snapshot: nodes, pools, queues of up to three levels, users, running and waiting
// workloads of every kind.
RandomCluster MakeRandomCluster(std::uint64_t seed);

// A waiting workload for the cluster, with an id of its own.
Workload RandomWorkload(const Snapshot& snapshot, std::uint64_t seed, std::int64_t id);

}  // namespace yard::sched
