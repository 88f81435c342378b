// The version of the product, set by the build.
#pragma once

#include <string_view>

namespace yard {

inline constexpr std::string_view kVersion = YARD_VERSION;

}  // namespace yard
