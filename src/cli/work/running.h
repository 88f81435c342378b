// Whether work can be reached. Pure.
#pragma once

#include "base/json.h"
#include "base/result.h"

namespace yard::cli {

// kPrecondition for work that does not run: it has neither ports nor files nor processes.
Status RequireRunning(const json::value& workload);

}  // namespace yard::cli
