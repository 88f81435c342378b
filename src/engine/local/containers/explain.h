// What a daemon's complaint means for the person whose task it was about: the thing that is wrong
// by its name, and what to do. Pure.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/task.h"

namespace yard::engine::containers {

// `said` is an error of daemon.h. A complaint nobody has met yet is passed on in the daemon's own
// words. The result is one sentence or two, in `message`.
Error Explain(const Error& said, const TaskSpec& spec);

}  // namespace yard::engine::containers
