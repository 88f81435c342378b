// Whether bytes are text.
#pragma once

#include <string_view>

namespace yard {

// Whole text is well-formed UTF-8: no overlong forms, no surrogates, nothing cut off.
bool IsUtf8(std::string_view text);

}  // namespace yard
