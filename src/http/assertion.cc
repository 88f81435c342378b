#include "http/assertion.h"

#include <fmt/format.h>

// The names are Boost's.
namespace boost {

void assertion_failed(char const* expr, char const* function, char const* file, long line) {
  throw yard::http::AssertionFailed(fmt::format("{} at {}:{} ({})", expr, file, line, function));
}

void assertion_failed_msg(char const* expr, char const* msg, char const* function, char const* file,
                          long line) {
  throw yard::http::AssertionFailed(
      fmt::format("{}: {} at {}:{} ({})", expr, msg, file, line, function));
}

}  // namespace boost
