// What would make a waiting workload start now? Found by trying: every change offered here has
// been decided upon by the scheduler itself, with the workload among the starts.
#pragma once

#include <string>
#include <vector>

#include "sched/core/core.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sched {

struct Change {
  enum class Kind : std::uint8_t {
    kFewerGpus,      // amount: GPUs per task, in milli
    kSmallerPart,    // amount: milli of each of its GPUs
    kLessGpuMemory,  // amount: MiB of each of its GPUs
    kFewerTasks,     // amount: tasks
    kOtherPool,      // pool
    kPreemptible,
    kMoreQuota,    // amount: milli-GPU on top, for queue in pool
    kHigherLimit,  // amount: milli-GPU on top, for queue in pool
    kLessCpu,      // amount: milli-CPU per task
    kLessMemory,   // amount: MiB per task
    kAnyModel,
    kAnyLabels,
    kTolerate,  // tolerating every taint
    kNoTopology,
    kShorterLimit,  // amount: microseconds
    kHigherPriority,
    kAsTraining,  // not interactive
    kMoves,       // amount: running tasks that the scheduler may move; a rule of the cluster
  };
  Kind kind;
  std::int64_t amount = 0;
  PoolIndex pool = kNone<PoolIndex>;
  QueueIndex queue = kNone<QueueIndex>;
  bool operator==(const Change&) const = default;
};

// "with 2 GPUs", "on pool dev", "if the quota of x were 1 GPU larger", "as preemptible".
std::string Describe(const Change& change, const Snapshot& snapshot);

// What becomes of running work in favour of the changed workload.
enum class Fate : std::uint8_t { kStops, kShrinks, kMoves };
struct Loss {
  WorkloadIndex victim;
  Micros ran;  // so far, since its last start
  Fate fate = Fate::kStops;
  bool operator==(const Loss&) const = default;
};

// Changes that are made together, and their price.
struct Advice {
  std::vector<Change> changes;  // more than one if no single one suffices
  std::vector<Loss> losses;
  bool operator==(const Advice&) const = default;
};

// The smallest change of each kind that works, the mildest kind first. Leaves the core as it was.
std::vector<Advice> WhatWouldHelp(Core& core, WorkloadIndex workload);

// The world with one change: the same workload, changed or its queue changed.
void Apply(Core& core, WorkloadIndex workload, const Change& change);

// A workload against the empty cluster: what it can never have, and what would make it possible.
struct Possibility {
  bool ever = true;
  std::vector<Reason> reasons;  // if never: all, the one that says most first
  std::vector<Advice> advice;   // that would make it possible
};
Possibility CheckEver(const Snapshot& snapshot, const Policy& policy, const Workload& workload);

}  // namespace yard::sched
