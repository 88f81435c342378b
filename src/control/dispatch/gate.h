// Whether a waiting workload may be considered for a place at all: its owner's hold, the time it is
// to begin at and what it was submitted to follow. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "control/state/state.h"
#include "model/wait_note.h"
#include "model/workload.h"

namespace yard::control {

enum class GateState {
  kOpen,
  kClosed,  // it waits for something that may still happen
  kNever,   // what it waits for cannot happen any more
};

// Of work that is there for a failure that did not come: it ends as cancelled, and the message says
// by what.
inline constexpr std::string_view kNotNeeded = "NotNeeded";

struct GateAnswer {
  GateState state = GateState::kOpen;
  std::string reason;                  // machine-readable; empty if open
  std::string message;                 // one sentence
  std::vector<WaitCause> causes = {};  // all that it waits for; the first is `reason`
};

GateAnswer AskGate(const State& state, const Workload& workload, Time now);

}  // namespace yard::control
