// What the scheduler proposes: a value, to be re-checked against newer state by who commits it.
//
// Invariant: the actions are consistent together and apply in the order evictions, moves, starts.
// Every list is in decision order, which is deterministic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sched/reason.h"
#include "sched/snapshot.h"

namespace yard::sched {

enum class StartKind : std::uint8_t {
  kNow,             // everything it needs is free
  kAfterEvictions,  // its place is held by workloads that this plan evicts or moves
  kGrow,            // more tasks for a running elastic workload
};

struct Start {
  WorkloadIndex workload;
  PoolIndex pool;
  StartKind kind = StartKind::kNow;
  std::vector<TaskPlacement> tasks;
  bool operator==(const Start&) const = default;
};

// The rule under which a workload loses its place.
enum class Rule : std::uint8_t {
  kReclaim,    // fairness between queues
  kPreempt,    // priority inside a project
  kStaleGang,  // too few tasks alive for too long
  kTimeLimit,
  kIdle,
  kReservation,  // it lay on GPUs that are reserved for somebody else
  kFirstGpu,     // it held a further GPU of its owner, and somebody had none
};

struct Eviction {
  WorkloadIndex victim;
  Rule rule = Rule::kReclaim;
  WorkloadIndex for_whom = kNone<WorkloadIndex>;
  std::vector<TaskPlacement> tasks;  // all of them, or those above the minimum that go
  bool operator==(const Eviction&) const = default;
};

struct Move {
  WorkloadIndex workload;
  TaskPlacement from;
  TaskPlacement to;
  WorkloadIndex for_whom = kNone<WorkloadIndex>;
  bool operator==(const Move&) const = default;
};

// A start promised for later by backfill.
struct PlannedStart {
  WorkloadIndex workload;
  Time at;
  bool operator==(const PlannedStart&) const = default;
};

// A workload whose start is protected from now on, until it is not listed any more.
struct Head {
  WorkloadIndex workload;
  HeldStart start;
  bool operator==(const Head&) const = default;
};

// Why waiting workloads do not start: `count` of them for the same reason. `first` is one that
// would be next; ask Explain (explain/explain.h) about a particular one.
struct Refusal {
  WorkloadIndex first;
  std::int64_t count = 0;
  Reason reason;
  bool operator==(const Refusal&) const = default;
};

struct Plan {
  std::vector<Eviction> evictions;
  std::vector<Move> moves;
  std::vector<Start> starts;
  std::vector<PlannedStart> planned;
  std::vector<Head> heads;
  std::vector<WorkloadIndex> lapsed;  // promised places that nobody leaves any more
  std::vector<Refusal> refusals;
  bool operator==(const Plan&) const = default;
};

// A running workload that this plan gives another place or size, for those who cannot change that
// while it runs: it stops, and starts again on `tasks`.
struct Restart {
  enum class Why : std::uint8_t { kMove, kShrink, kGrow };
  WorkloadIndex workload;
  Why why = Why::kMove;
  WorkloadIndex for_whom = kNone<WorkloadIndex>;
  Rule rule = Rule::kReclaim;  // of kShrink
  std::vector<TaskPlacement> tasks;
};

// One for each workload that is moved, shrunk or grown, in the order of the plan.
std::vector<Restart> RestartsIn(const Plan& plan, const Snapshot& snapshot);

// Whether the eviction takes all of the victim's tasks.
bool IsWhole(const Eviction& eviction, const Snapshot& snapshot);

// "evict y/young; start x/new on a": names and nodes, for tests, logs and replays.
std::string Describe(const Plan& plan, const Snapshot& snapshot);

}  // namespace yard::sched
