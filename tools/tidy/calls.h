// Calls and headers that some modules must not use: clocks, randomness, environment, sleeps,
// shells, detached threads; in the pure modules also locks, streams and JSON.
#pragma once

#include <vector>

#include "tools/tidy/source.h"

namespace yard::tools {

void CheckCalls(const Source& source, std::vector<Finding>& findings);

}  // namespace yard::tools
