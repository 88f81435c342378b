// One try at running a workload: where its tasks were placed, when it ran, how it ended.
//
// Invariants: its workload, pool and places never change; it gets exactly one end, and nothing
// about it changes afterwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "base/time.h"
#include "model/ids.h"

namespace yard {

// Why an attempt ended. Retry rules and people branch on it.
enum class EndCause {
  kCompleted,     // every task exited with 0
  kExit,          // a task exited with another code
  kSignal,        // a task died by a signal nobody here sent
  kOutOfMemory,   // the kernel killed a task for its memory limit
  kLaunchFailed,  // it never ran: no such binary, image, user or mount
  kTimeLimit,
  kIdle,
  kSuspended,  // on request of a person
  kDeleted,    // on request of a person
  kCancelled,  // on request of a person, who keeps the record
  kPreempted,  // the scheduler gave its place to another
  kNodeLost,   // the machine or the engine lost it; nobody knows its exit code
};

// The place of one task.
struct TaskPlace {
  std::string node;               // by name
  std::vector<std::string> gpus;  // by UUID
  MilliGpu each;                  // taken from each of them
};

// An order to stop, durable before the engine is told; it decides the cause of the end.
struct StopOrder {
  EndCause cause = EndCause::kSuspended;
  std::string by;    // person, or the workload it makes room for as the owner may know it
  std::string rule;  // of the scheduler; empty for a person's order
  Time at;
  std::optional<WorkloadId> for_workload = std::nullopt;  // that it makes room for
};

struct AttemptEnd {
  EndCause cause = EndCause::kCompleted;
  std::optional<std::int32_t> exit_code;  // of the task that decided the end
  std::optional<std::int32_t> signal;
  std::int32_t rank = 0;  // of that task
  std::string message;    // one sentence
  Time at;
};

// Where the device memory of an attempt is. Away, it lies in host memory, its processes wait and
// its GPUs are free for others; in every other place the attempt holds them.
enum class Residence { kOnGpu, kLeaving, kAway, kReturning };

// A stretch of time that an attempt was away.
struct Absence {
  Time from;
  Time to;
};

// Thousandths of a GPU times microseconds: what GPU hours are counted in, so that sums are exact.
using GpuTime = Quantity<struct GpuTimeTag>;

// What an attempt used from its start on, all tasks together. Absent: not measured.
struct AttemptUse {
  std::optional<Micros> cpu;
  std::optional<Mebibytes> memory_peak;  // the sum of its tasks' peaks
  std::int64_t read_bytes = 0;
  std::int64_t write_bytes = 0;
  GpuTime gpu_measured;  // of what it held, the part during which use was measured
  GpuTime gpu_used;      // of that, what was busy
};

struct Attempt {
  using Id = AttemptId;
  Id id;
  WorkloadId workload;
  std::int32_t number = 1;  // counts from 1 within the workload
  NodePoolId pool;
  std::vector<TaskPlace> places;  // by rank
  Time placed_at;
  bool queued = false;             // it waited in the engine's own queue and held nothing there
  std::optional<Time> started_at;  // every task runs
  std::optional<StopOrder> stop;
  std::optional<AttemptEnd> end;
  std::optional<AttemptUse> used;  // with the end
  Residence residence = Residence::kOnGpu;
  Time residence_since;           // when it last changed; zero if it never did
  std::vector<Absence> absences;  // that are over, oldest first
};

// What its places hold of GPUs, all together.
MilliGpu HeldBy(const Attempt& attempt);
MilliGpu HeldBy(const TaskPlace& place);

// From when on it holds its places, and has run up GPU time: its placing, or its start if it was
// queued at the engine until then.
Time HeldFrom(const Attempt& attempt, Time now);
// Whether its places' GPUs are its own at the moment.
bool HoldsGpus(const Attempt& attempt);
// Its device memory is somewhere else from now on.
void Relocate(Attempt& attempt, Residence next, Time at);
// When its GPUs were not its own, up to `now` or its end, oldest first.
std::vector<Absence> AbsencesUntil(const Attempt& attempt, Time now);
Micros AwayUntil(const Attempt& attempt, Time now);

std::string_view Name(EndCause cause);
std::string_view Name(Residence residence);

}  // namespace yard
