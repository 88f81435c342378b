// Whether work can be reached. Pure.
#pragma once

#include "base/json.h"
#include "base/result.h"

namespace yard::cli {

// kPrecondition for work that does not run: it has neither ports nor files nor processes.
Status RequireRunning(const json::value& workload);

// What suspending takes away, for people.
inline constexpr const char* kSuspendLoses =
    "what was only in its memory or its container is gone; files on the node, in volumes and in "
    "its output folder stay";

}  // namespace yard::cli
