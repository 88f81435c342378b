// Why something does not start: typed, with the numbers the decision was made on.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "base/time.h"
#include "sched/index.h"

namespace yard::sched {

struct Snapshot;

enum class Cause : std::uint8_t {
  kNone,
  // Not a candidate.
  kHeld,
  // Admission: the queues say no.
  kNoPool,                   // neither workload nor queue may use any pool
  kQueueBlocked,             // quota 0 and over-quota off: limit 0
  kOverLimit,                // allocated + requested > limit of `queue`
  kNonPreemptibleOverQuota,  // non-preemptible allocated + requested > quota of `queue`
  kUserGpuCap,
  kUserInteractiveCap,
  kProjectInteractiveCap,
  // Placement: the nodes say no.
  kNoNodes,       // the pool has no node in service
  kModel,         // no node with such a GPU model
  kLabels,        // no node with these labels
  kTaints,        // every suitable node repels it
  kNodeTooSmall,  // no suitable node is large enough even when empty
  kGpus,          // fewer GPUs free than requested
  kFragmented,    // enough free in sum, but not on one node or GPU
  kCpu,
  kMemory,
  kExtended,
  kGang,      // some tasks fit now, not all
  kTopology,  // fits, but not inside one domain
  // Time: later or for others.
  kReserved,   // free, but kept for an advance reservation
  kBackfill,   // would delay the planned start of one ahead
  kBehind,     // what it needs went to workloads ahead of it in this very plan
  kPlaceHeld,  // others are leaving the place that is held for it
  // Said of one workload only, beside the others.
  kOutOfService,   // the machines in service do not suffice, even if nothing else ran
  kPreemptionOff,  // it could start if work could be stopped for it, which is switched off
  kGuarded,        // it may take from running work that is guarded until a time
};

// What a reason was found against.
enum class Footing : std::uint8_t {
  kNow,
  kEmpty,  // even if nothing else ran and every machine were in service
};

// What the numbers of a reason count.
enum class Resource : std::uint8_t { kGpu, kCpu, kMemory, kCount, kGpuMemory };

struct Reason {
  Cause cause = Cause::kNone;
  PoolIndex pool = kNone<PoolIndex>;
  QueueIndex queue = kNone<QueueIndex>;  // whose bound refused
  Resource resource = Resource::kGpu;    // kCount: tasks or workloads
  std::int64_t bound = 0;                // limit, quota, cap, or what is free
  std::int64_t allocated = 0;            // already taken of the bound
  std::int64_t requested = 0;
  Time from;   // kReserved: when the reservation begins; kBackfill: the planned start it may delay
  Time until;  // kReserved: when it ends; kGuarded: the end of the guard
  ShapeIndex shape = kNone<ShapeIndex>;  // placement: the kind of task that found no place
  std::int8_t level = -1;                // kTopology: of which all tasks must share a domain
  Footing footing = Footing::kNow;
  auto operator<=>(const Reason&) const = default;
};

// "2 GPU", "0.5 CPU", "16 GiB".
std::string Amount(Resource resource, std::int64_t value);

// "overLimit", for machines.
std::string CauseName(Cause cause);

// One sentence with the numbers, for people.
std::string Sentence(const Reason& reason, const Snapshot& snapshot);

}  // namespace yard::sched
