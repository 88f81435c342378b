// The life of an attempt and what follows from it for its workload, as pure functions.
//
// Judge turns what the tasks say into one verdict about the attempt; FateOf turns the end of an
// attempt into the next phase of the workload. Neither reads a clock or a State.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/task.h"
#include "model/attempt.h"
#include "model/workload.h"

namespace yard::control {

// Of orders to stop what still runs on a drained node.
inline constexpr std::string_view kDrainRule = "drain";

// Whose end ends the others.
enum class GangRule {
  kAllComplete,   // every task must complete; the first failure ends all
  kFirstDecides,  // the same, and the end of rank 0 ends all: it is the master
};
GangRule GangRuleOf(const Workload& workload);

struct Progress {
  std::optional<Time> started_at;  // every task runs, or ran
  std::optional<AttemptEnd> end;   // nothing of it is left on any machine
  bool stop_rest = false;          // one task has ended the others
  bool queued = false;             // one task waits in the engine's own queue
  AttemptUse used;                 // with the end
};

// `tasks` by rank. An order to stop decides the cause of the end, unless all was over before.
Progress Judge(const Attempt& attempt, std::span<const engine::TaskStatus> tasks, GangRule rule);

// What the tasks counted at their ends, all together.
AttemptUse CountedBy(std::span<const engine::TaskStatus> tasks);

struct Fate {
  std::optional<Transition> transition;  // none: the workload stays as it is
  bool is_retry = false;
};
// `attempt` has ended.
Fate FateOf(const Workload& workload, const Attempt& attempt);

// "Exited with code 3."; for a gang, which rank did.
std::string SentenceOf(const AttemptEnd& end, std::size_t ranks);

}  // namespace yard::control
