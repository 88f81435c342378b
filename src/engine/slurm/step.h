// Commands beside a running task: a step of its job that overlaps with the rest. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/slurm/jobs.h"
#include "engine/slurm/plan.h"

namespace yard::engine::slurm {

// The command for the site that runs `spec` in the task's surroundings.
ExecSpec StepBeside(const Layout& layout, const TaskKey& key, JobId job, const ExecSpec& spec);

// A tar stream of a file or folder under its last name.
std::vector<std::string> PackCommand(const Layout& layout, const std::string& path);

}  // namespace yard::engine::slurm
