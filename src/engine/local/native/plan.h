// Turns a spec for a plain process into the lines its shim obeys, and lays out the folder.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/local/native/cgroups.h"
#include "engine/local/options.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/task.h"

namespace yard::engine {

struct PlanContext {
  const Cgroups& groups;
  const std::string& root;              // volumes are kept in <root>/volumes
  const std::string& data_sets;         // data sets are in <data_sets>/PROJECT/VERSION
  const std::string& path;              // PATH of tasks
  std::vector<Variable> gpu_variables;  // what makes the granted GPUs visible
  bool sync_ends = false;
  RootTasks root_tasks = RootTasks::kRefused;
};

// An error's message says why the task cannot run here.
Result<std::string> PlanProcess(const TaskSpec& spec, const TaskFolder& folder,
                                const PlanContext& context);

}  // namespace yard::engine
