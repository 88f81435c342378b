// Programming errors stop the process.
//
// YARD_CHECK stays on in release builds. One condition each; never on input from outside, which
// is refused with a Result instead.
#pragma once

#include <string_view>

namespace yard {

[[noreturn]] void CheckFailed(std::string_view condition, std::string_view file, int line);

}  // namespace yard

#define YARD_CHECK(condition)                              \
  do {                                                     \
    if (!(condition)) [[unlikely]]                         \
      ::yard::CheckFailed(#condition, __FILE__, __LINE__); \
  } while (false)
