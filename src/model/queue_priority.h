// The priority of a department's or project's quota in a pool: of what nobody has a quota for,
// higher ones get their share first, and among queues that stand alike they are served first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace yard {

inline constexpr std::int32_t kNormalQueuePriority = 400;  // where none is set

inline constexpr std::string_view kQueuePriorityForms =
    "VeryLow, Low, MediumLow, Normal, MediumHigh, High, VeryHigh, or a whole number from 0 to 1000 "
    "(Normal is 400)";

// Names are read in any case. Nothing: it is neither a name nor such a number.
std::optional<std::int32_t> QueuePriorityOf(std::string_view text);

}  // namespace yard
