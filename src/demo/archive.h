// Ended work in bulk: records for trying how the dashboard copes with a large history.
//
// Nobody ran it, not even in a simulation: the records are written as the driver would have
// written them, many in one transaction.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/result.h"
#include "control/service.h"
#include "demo/clock.h"
#include "engine/task.h"

namespace yard::demo {

struct ArchiveOptions {
  std::int64_t workloads = 0;
  Micros length = Days(28);  // ended work is kept for 30
  std::span<const engine::NodeState> nodes;
};

// From the clock's present on, for so long; `told` hears how many are written.
Status FillArchive(const ArchiveOptions& options, control::Service& service, SteeredClock& clock,
                   const std::function<void(std::int64_t)>& told);

}  // namespace yard::demo
