// How a task ended, from what its shim wrote down and what Slurm says about its job. Pure.
#pragma once

#include <optional>

#include "base/time.h"
#include "engine/slurm/jobs.h"
#include "engine/task.h"

namespace yard::engine::slurm {

// What is known when the end of a task is decided.
struct Evidence {
  std::optional<TaskEnd> noted;     // by the shim: the command's own end
  std::optional<Job> job;           // Slurm's last word; absent: it has forgotten the job
  std::optional<StopOptions> stop;  // the order that was given here
  bool started = false;             // the command ran
};

// Whether Slurm must be asked before the end counts: a command that was ended may have been ended
// by Slurm, which knows why. One that ended well, or was stopped from here, needs no more words.
bool NeedsSlurmsWord(const Evidence& evidence);

// The shim's word about exit code and signal, Slurm's about the cause. `now` is the time of an end
// that nobody has noted.
TaskEnd DecideEnd(const Evidence& evidence, Time now);

}  // namespace yard::engine::slurm
