// The time since the machine started: never set back, never set forward.
#pragma once

#include "base/time.h"

namespace yard {

// For spans only: its points in time are no dates.
const Clock& SteadyClock();

}  // namespace yard
