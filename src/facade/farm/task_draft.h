// A task as a workload that can be created: the definition found, policies applied. I/O threads.
#pragma once

#include "control/commands/workloads.h"
#include "facade/farm/task_spec.h"
#include "model/org.h"
#include "serve/call.h"

namespace yard::facade::farm {

// kInvalid with what a workload of the project could not have.
Status CheckSpec(serve::Call& call, const Project& project, const json::object& spec);

Result<control::WorkloadDraft> DraftOf(serve::Call& call, const Project& project,
                                       const TaskOrder& order);

}  // namespace yard::facade::farm
