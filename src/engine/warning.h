// A signal to a task that goes on: Stop with a grace that never ends.
#pragma once

#include "base/time.h"

namespace yard::engine {

// The task gets the signal of the order, and nothing follows.
inline constexpr Micros kNeverKill = Seconds(std::int64_t{1} << 37);

}  // namespace yard::engine
