// Whether a waiting workload may be considered for a place at all: its owner's hold and what it
// was submitted to follow. Pure.
#pragma once

#include <string>
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

struct GateAnswer {
  GateState state = GateState::kOpen;
  std::string reason;                  // machine-readable; empty if open
  std::string message;                 // one sentence
  std::vector<WaitCause> causes = {};  // all that it waits for; the first is `reason`
};

GateAnswer AskGate(const State& state, const Workload& workload);

}  // namespace yard::control
