// Where a verb writes and reads, and what kind of terminal it is. Results go to `out`, everything
// else to `err`, so that a pipe never carries prose.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

namespace yard::cli {

struct Console {
  std::ostream& out;
  std::ostream& err;
  std::istream& in;
  std::size_t width = 0;  // of the terminal `out` is; 0: not a terminal, lines may be any length
  bool colour = false;
  bool interactive = false;  // somebody can answer questions
  // Asks without echo; nothing if nobody can answer.
  std::function<std::optional<std::string>(const std::string& prompt)> read_secret = {};
};

}  // namespace yard::cli
