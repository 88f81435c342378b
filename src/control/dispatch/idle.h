// Whether running work is idle, from what its tasks use. Pure but for the watch it is given.
//
// A GPU that is measured decides alone; without one the CPU does. Input on a terminal always
// counts as use. Warned first, stopped later.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "control/state/state.h"
#include "engine/task.h"
#include "model/workload.h"

namespace yard::control {

// What is known about one attempt's idleness.
struct IdleWatch {
  Time active_at;
  std::string kept_by;  // the signal that showed use last
  bool warned = false;
  std::vector<engine::TaskUsage> last;  // by rank, of the look before
  Time looked_at;
};

enum class IdleVerdict { kActive, kWarn, kStop };

// How long this work may be idle by the rules of its project and department; nothing: forever.
std::optional<Micros> IdleLimitOf(const State& state, const Workload& workload);

// One more look. kWarn is answered once for each idle stretch, at four fifths of the limit.
IdleVerdict Look(IdleWatch& watch, std::span<const engine::TaskUsage> usage, Time now,
                 Micros limit);

}  // namespace yard::control
