// The pieces a task is put together from; internal to launch_spec.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "control/launch/secrets.h"
#include "control/launch/spec.h"
#include "control/policy/host_rules.h"
#include "control/state/state.h"
#include "engine/task.h"
#include "model/spec/spec.h"

namespace yard::control {

struct LaunchParts {
  const State& state;
  const Workload& workload;
  const Attempt& attempt;
  std::int32_t rank;
  const TaskPlace& place;
  const WorkloadSpec& spec;  // of this rank
  std::string project;
  SecretSource secrets;
  HostAccess access;
  const LaunchContext& context;

  HostQuestion question() const { return {state, access, workload.project, "spec"}; }
};

// As whom a plain process runs that has no account of the machine, see NativeTasks. Nothing: as
// the server.
Result<std::optional<engine::Account>> LoneAccount(const LaunchParts& parts);
Result<std::optional<engine::Account>> IsolatedAccount(const LaunchParts& parts,
                                                       const LaunchContext& context);

Status AddVariables(const LaunchParts& parts, engine::TaskSpec& task);
Status AddMounts(const LaunchParts& parts, engine::TaskSpec& task);
// Last: what must happen before the command may add variables.
Status AddCommand(const LaunchParts& parts, engine::TaskSpec& task);

}  // namespace yard::control
