// Points in time as people type them, on the clock of this machine.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace yard::cli {

// "18:00" (the next time the clock shows it), "2026-11-15", "2026-11-15T18:00", with an offset as
// in RFC 3339, "now+90m", "now+2hours", "midnight", "noon", "teatime", "today", "tomorrow".
Result<Time> ParseWhen(std::string_view text, Time now);

}  // namespace yard::cli
