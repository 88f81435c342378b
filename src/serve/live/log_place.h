// Where in a log to begin reading. Blocks like the calls it makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "control/live.h"

namespace yard::serve {

// "90", "90s", "5m", "2h" or "1d"; nothing if it is no span of time.
std::optional<Micros> ParseSpan(std::string_view text);

// The end of what is written now.
Result<std::int64_t> LogEnd(control::Live& live, const control::TaskChoice& task, Time now);

// The offset of the last `lines` lines, found by reading backwards from the end. A last line that
// is not finished counts.
Result<std::int64_t> TailOffset(control::Live& live, const control::TaskChoice& task,
                                std::int64_t lines, Time now);

}  // namespace yard::serve
