// Runs tasks as jobs of a Slurm cluster.
//
// A task is one batch job named after its key; a shim inside it keeps log, exit code and times in
// the task's folder on the shared file system, so that a restarted server finds everything again
// even if Slurm has forgotten the job. Gpuyard names the node and the number of GPUs of a type;
// Slurm chooses which of them (ADR 068).
#pragma once

#include <memory>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/slurm/options.h"
#include "engine/slurm/site.h"

namespace yard::engine::slurm {

// It asks nobody before Adopt. kInvalid if the options cannot be right.
Result<std::unique_ptr<Engine>> OpenSlurmEngine(SlurmOptions options, std::unique_ptr<Site> site);

}  // namespace yard::engine::slurm
