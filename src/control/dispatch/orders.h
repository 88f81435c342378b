// What the dispatcher wants done after one step: one commit and calls of the engine. A value.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "control/dispatch/cycle.h"
#include "control/dispatch/inbox.h"
#include "control/sched/choices.h"
#include "control/state/wait_board.h"
#include "engine/task.h"
#include "model/attempt.h"

namespace yard::control {

// Some or all tasks of an attempt.
struct LaunchTasks {
  AttemptId attempt;
  std::vector<std::int32_t> ranks;
};
struct ForgetTask {
  engine::TaskKey key;
};
// Takes the memory of an attempt off its GPUs, or back to them.
struct MoveMemory {
  AttemptId attempt;
  Residence from = Residence::kLeaving;  // or kReturning
};
// Tells the tasks of an attempt the limits that its workload has now.
struct SetGpuLimits {
  enum class OnFailure { kTell, kIgnore };
  AttemptId attempt;
  OnFailure on_failure = OnFailure::kTell;
};
struct ReadNodes {};
// What the engine knows of tasks whose news may have been lost.
struct ReadStatus {
  std::vector<engine::TaskKey> keys;
};
struct ReadUsage {
  std::vector<engine::TaskKey> keys;
};

using EngineOrder = std::variant<LaunchTasks, StopTasks, ForgetTask, MoveMemory, SetGpuLimits,
                                 ReadNodes, ReadStatus, ReadUsage>;

struct Orders {
  std::vector<EngineOrder> engine;  // about durable things only, so they may go before the commit
  Cycle commit;
  SharedBoard waiting;                // why work waits, for all to read; null: as before
  std::optional<Passed> passed = {};  // what other clusters may take; nothing: as before
};

}  // namespace yard::control
