// What a simulated task does: a few words of shell.
//
//   sleep 0.5; echo hello; exit 3; kill -9 $$; trap '' TERM; true; false; oom
//   repeat 3; sleep 1; echo step $i of 3; done
//   refuse no such image              (the launch fails, with these words)
//
// Statements are apart by `;` or line ends. A word it does not know ends the task with code 127,
// as a shell would; in a demo any program is taken to run for a while instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/task.h"

namespace yard::engine {

// In a demo, a task does what its variable of this name says, whatever its command is.
inline constexpr std::string_view kScriptVariable = "SIM_SCRIPT";

// What becomes of programs and images that are none of the words above.
enum class Pretence {
  kNone,        // they fail to start
  kAnyProgram,  // they seem to run: for demos
};

enum class ActionKind { kSleep, kEcho, kExit, kKill, kIgnoreTerm, kOutOfMemory };

struct Action {
  ActionKind kind = ActionKind::kExit;
  Micros pause{0};
  std::string text;
  std::int32_t number = 0;  // exit code or signal
};

// kInvalid if the spec's program is none that can be simulated.
Result<std::vector<Action>> ReadScript(const TaskSpec& spec, Pretence pretence);

// How long a task takes that nobody stops.
Micros LengthOf(const std::vector<Action>& script);

}  // namespace yard::engine
