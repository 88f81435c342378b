// Work that leaves its GPUs and comes back to them: what is recorded of it, and what people are
// told. Who has the memory moved is the driver.
//
// Invariants kept here: an attempt is away only after the engine said so, and on its GPUs again
// only after the engine said so; a failure to leave loses nothing, a failure to come back neither.
// What has an order to stop is left to its end. They check no permission. Reactor thread, except
// what takes a State.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/attempt.h"
#include "model/workload.h"

namespace yard::control {

// The reason of work that waits for its own GPUs.
inline constexpr std::string_view kWaitsForItsGpus = "WaitsForItsGpus";

// Whether it was resumed while away: it waits for its own GPUs and no others.
bool WaitsForItsGpus(const State& state, const Workload& workload);

// For what it waits: "Waits for GPU gpu0 of a: 'train' has it." Work of other projects has no name
// here.
std::string WaitSentence(const State& state, const Workload& workload);

// What parked work is told: how much lies in host memory, if known, and the way back.
std::string ParkedSentence(std::optional<Mebibytes> memory);

// What the engine answered when asked to move the memory of an attempt.
struct Moved {
  AttemptId attempt;
  Residence from = Residence::kLeaving;  // or kReturning
  Status outcome;
  std::optional<Mebibytes> memory;  // on its GPUs before, if known
};
// Whether nobody knows after that answer where its memory is, so that the engine is to be asked
// again. Its GPUs are its own until the engine says that it is away.
bool IsUndecided(const Moved& moved);
void RecordMoved(Txn& txn, const Moved& moved);

// Its GPUs are free: they are its own again, and its memory is to follow. Does nothing if it does
// not wait for them any more.
void BeginReturn(Txn& txn, WorkloadId id);

}  // namespace yard::control
