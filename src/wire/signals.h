// Names of signals in specs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace yard::wire {

// "SIGUSR1", "USR1" or "10".
std::optional<std::int64_t> SignalOf(std::string_view text);

}  // namespace yard::wire
