// What a simulated task does: a few words of shell.
//
//   sleep 0.5; echo hello; exit 3; kill -9 $$; trap '' TERM; true; false; oom
//
// Statements are apart by `;` or line ends. A word it does not know ends the task with code 127,
// as a shell would.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/task.h"

namespace yard::engine {

enum class ActionKind { kSleep, kEcho, kExit, kKill, kIgnoreTerm, kOutOfMemory };

struct Action {
  ActionKind kind = ActionKind::kExit;
  Micros pause{0};
  std::string text;
  std::int32_t number = 0;  // exit code or signal
};

// kInvalid if the spec's program is none that can be simulated.
Result<std::vector<Action>> ReadScript(const TaskSpec& spec);

}  // namespace yard::engine
