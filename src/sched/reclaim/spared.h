// How often one workload may be evicted. Pure.
#pragma once

#include <span>

#include "base/time.h"

namespace yard::sched {

inline constexpr Micros kEvictionWindow = Hours(1);

// Until when a workload is spared that was evicted at these times, oldest first: no more than
// `most` evictions lie within a window. Times that left the window may be missing.
inline Time SparedUntil(std::span<const Time> evictions, std::int64_t most) {
  const auto count = static_cast<std::int64_t>(evictions.size());
  if (most <= 0 || count < most) return {};
  return evictions[static_cast<std::size_t>(count - most)] + kEvictionWindow;
}

}  // namespace yard::sched
