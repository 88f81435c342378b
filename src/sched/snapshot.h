// Everything the scheduler knows: plain data, self-contained, no pointers.
//
// Invariants (checked by Validate, validate.h): every index points into its table; amounts are
// not negative; the queues form a forest whose parents come before their children; the tasks of
// running workloads fit on their nodes, and so do those of promised ones once those who leave have
// left. Amounts of nodes are what workloads of this snapshot may
// use in total; what is free follows from the running workloads and is never stored.
//
// Thread rule: a value; share it freely while nobody changes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "base/seldom.h"
#include "base/time.h"
#include "model/fairness.h"
#include "sched/index.h"
#include "sched/resources.h"

namespace yard::sched {

enum class Strategy : std::uint8_t {
  kBinPack,        // fill used nodes and GPUs first
  kSpread,         // emptiest first
  kFragmentation,  // bin-pack that keeps the free parts useful for the typical workload
};

struct Pool {
  std::string name;
  Strategy gpu_strategy = Strategy::kFragmentation;  // for tasks with GPUs
  Strategy cpu_strategy = Strategy::kBinPack;        // for tasks without
};

struct GpuModel {
  std::string name;
  Mebibytes memory;
};

struct Gpu {
  MilliGpu usable{1000};   // less if outsiders hold a part; 0 if broken
  std::int8_t island = 0;  // GPUs of one island share fast links
  std::int8_t numa = 0;
};

enum class NodeState : std::uint8_t { kReady, kCordoned, kDown };

struct Node {
  std::string name;
  PoolIndex pool;
  ModelIndex model = kNone<ModelIndex>;
  NodeState state = NodeState::kReady;
  std::vector<Gpu> gpus;  // at most 64
  MilliCpu cpu;
  Mebibytes memory;
  std::vector<std::int64_t> extended;  // by ExtendedIndex; may be shorter than the table
  std::vector<LabelIndex> labels;      // sorted
  std::vector<LabelIndex> taints;      // sorted; each repels tasks that do not tolerate it
  std::vector<DomainIndex> domains;    // one per topology level, widest first
};

enum class QueueLevel : std::uint8_t { kTenant, kDepartment, kProject, kUser };

using yard::Fairness;

// What one queue may have in one pool. Amounts of kUnlimited do not bind.
struct QueueShare {
  Resources quota{MilliGpu(0), MilliCpu(kUnlimited), Mebibytes(kUnlimited)};  // deserved
  Resources limit = kUnlimitedResources;
  std::int32_t weight = 2;            // over-quota weight; 0 takes only what nobody else wants
  std::int32_t priority = 0;          // over-quota priority: higher is served first
  std::int64_t usage_millionths = 0;  // decayed usage / pool capacity, for kDecayedShare
};

struct Queue {
  std::string name;
  QueueIndex parent = kNone<QueueIndex>;
  QueueLevel level = QueueLevel::kProject;
  Time created;
  std::vector<QueueShare> shares;     // one per pool
  std::vector<PoolIndex> pool_order;  // tried in turn; empty: as the parent, at the root all
  std::optional<Fairness> fairness;   // between all below it; none: as the parent, at the root the
                                      // policy's
  std::optional<Micros> reclaim_min_runtime;  // guards against other queues; inherited
  std::optional<Micros> preempt_min_runtime;  // guards against the own project; inherited
  std::int64_t max_interactive = kUnlimited;  // running interactive workloads
};

struct User {
  std::string name;
  std::int64_t max_gpu_milli = kUnlimited;    // over all pools
  std::int64_t max_interactive = kUnlimited;  // running interactive workloads
};

// How much of the cluster's GPUs a person's work of one project has used lately (People::kByUse).
struct PersonUse {
  QueueIndex queue;
  UserIndex user = kNone<UserIndex>;
  std::int64_t usage_millionths = 0;  // decayed, as of queues
};

struct ExtendedAmount {
  ExtendedIndex resource;
  std::int64_t amount = 0;
  bool operator==(const ExtendedAmount&) const = default;
};

// What one task needs on one node. Interned: workloads with equal tasks share a ShapeIndex.
struct TaskShape {
  std::int32_t gpu_count = 0;    // devices, all on one node
  MilliGpu gpu_each{1000};       // of each device; 1000 takes whole devices
  Mebibytes gpu_memory_each{0};  // if set, replaces gpu_each: the part that holds so much memory
  MilliCpu cpu;
  Mebibytes memory;
  std::vector<ExtendedAmount> extended;
  std::vector<ModelIndex> models;               // any of these; empty: any model
  std::vector<std::vector<LabelIndex>> labels;  // of each list at least one
  std::vector<LabelIndex> tolerations;          // sorted
  bool operator==(const TaskShape&) const = default;
};

// Identical tasks of one workload. All `count` start together with all other groups, or none do.
struct TaskGroup {
  ShapeIndex shape;
  std::int32_t count = 1;      // the minimum
  std::int32_t max_count = 0;  // elastic if above count; grows while there is room
  bool operator==(const TaskGroup&) const = default;
};

struct TaskPlacement {
  std::int32_t group = 0;
  NodeIndex node;
  std::uint64_t gpus = 0;  // bit i: GPU i of the node
  MilliGpu each;           // taken from each of them
  bool operator==(const TaskPlacement&) const = default;
};

enum class Preemptibility : std::uint8_t { kPreemptible, kNonPreemptible };
enum class Mobility : std::uint8_t { kMovable, kStays };  // would a move elsewhere lose work?
enum class WorkloadKind : std::uint8_t { kTraining, kInteractive, kInference };

enum class WorkloadState : std::uint8_t {
  kGone,  // the slot is free
  kHeld,  // waits for its owner or for another workload; not a candidate
  kPending,
  kPromised,  // waits for the place in `tasks`, which running work leaves for it
  kRunning,   // holds its placement
};

// A start that is planned for later: nobody who arrives afterwards moves it.
struct HeldStart {
  Time at;
  std::vector<TaskPlacement> tasks;
  bool operator==(const HeldStart&) const = default;
};

// What few workloads have at a time. It lies apart: a large lab has a million of records, and every
// byte of them is copied when a picture is.
struct Rare {
  // A place that is kept for it: of the head of its person's work, while pending; or where it
  // starts again, while it runs and leaves its place for itself.
  std::optional<HeldStart> head;

  // While running:
  std::optional<WorkloadId> leaving_for;  // it is evicted and holds its place until it has stopped
  Time spared_until;                      // nobody may evict it before
  std::optional<Time> stale_since;        // fewer tasks alive than the minimum, since
  std::optional<Time> idle_since;         // no GPU use, since
  Micros idle_limit{0};                   // 0: none
  bool operator==(const Rare&) const = default;
};

struct Workload {
  WorkloadId id;
  std::string name;
  QueueIndex queue;  // a queue without children
  UserIndex user = kNone<UserIndex>;
  WorkloadState state = WorkloadState::kPending;
  WorkloadKind kind = WorkloadKind::kTraining;
  Preemptibility preemptibility = Preemptibility::kPreemptible;
  Mobility mobility = Mobility::kMovable;
  std::int32_t priority = 50;        // orders workloads of one project
  std::int32_t user_priority = 0;    // orders workloads of one user (kNthGpu)
  std::int8_t required_level = -1;   // all tasks in one domain of this topology level
  std::int8_t preferred_level = -1;  // if possible
  std::vector<TaskGroup> groups;
  std::vector<PoolIndex> pools;  // tried in turn; empty: the order of the queue
  Time created;
  Micros time_limit{0};        // 0: none; ends a running workload
  Micros expected_runtime{0};  // 0: unknown; learned, used for planning only
  // For forecasts only: between these most work of its kind ends. 0: unknown.
  Micros shortest_runtime{0};
  Micros longest_runtime{0};

  // While running, or promised:
  Time started;
  std::vector<TaskPlacement> tasks;

  Seldom<Rare> rare;
};

// GPUs of a pool kept free for a queue during a window, for a deadline.
struct Reservation {
  std::string name;
  QueueIndex queue;  // it and all below it may use the GPUs
  PoolIndex pool;
  MilliGpu gpu;
  Time start;
  Time end;
  Micros release_after{0};  // what is unused so long is given back; 0: never
  Time unused_since;        // when the owner's last work there ended; counts from the start on
};

struct Snapshot {
  Time now;
  std::vector<Pool> pools;
  std::vector<GpuModel> models;
  std::vector<std::string> labels;    // "key=value"
  std::vector<std::string> extended;  // names of extended resources
  std::vector<std::string> domains;   // names of topology domains
  std::vector<std::string> levels;    // names of topology levels, widest first; may be shorter
  std::vector<Node> nodes;
  std::vector<Queue> queues;
  std::vector<User> users;
  std::vector<PersonUse>
      past_use;  // each person once in a queue; those who used nothing are absent
  std::vector<TaskShape> shapes;
  std::vector<Workload> workloads;
  std::vector<Reservation> reservations;
};

}  // namespace yard::sched
