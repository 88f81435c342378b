#include "cli/input.h"

#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "cli/console.h"

namespace yard::cli {

Result<std::string> ReadInput(Session& session, const std::string& file) {
  std::ostringstream text;
  if (file == "-") {
    text << session.console().in.rdbuf();
    return std::move(text).str();
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) return Fail(Code::kInvalid, fmt::format("cannot read {}", file));
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace yard::cli
