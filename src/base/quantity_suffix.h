// The letters after an amount: "500m", "1.5Gi".
#pragma once

#include <optional>
#include <string_view>

namespace yard {

// What the amount is to be multiplied with; nothing if there is no such suffix.
std::optional<double> SuffixFactor(std::string_view suffix);

}  // namespace yard
