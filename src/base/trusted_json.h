// JSON from our own disk, server or container daemon: too long a text is no attack there.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/json.h"

namespace yard {

// A value in memory takes many times the text of "{},", so text from outside is bounded by the
// number of its values (arrays, objects and their members) too. ParseJson takes this many.
inline constexpr std::size_t kMostValues = 100'000;

// As ParseJson, without that bound.
Result<json::value> ParseTrustedJson(std::string_view text);

}  // namespace yard
