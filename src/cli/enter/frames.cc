#include "cli/enter/frames.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/strings.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

std::string Frame(FrameKind kind, std::string_view content) {
  std::string frame(1, static_cast<char>(kind));
  frame += content;
  return frame;
}

}  // namespace

std::string InputFrame(std::string_view bytes) {
  return Frame(FrameKind::kInput, bytes);
}

std::string CloseInputFrame() {
  return Frame(FrameKind::kControl, R"({"closeInput":true})");
}

std::string ResizeFrame(std::uint16_t rows, std::uint16_t columns) {
  return Frame(FrameKind::kControl,
               fmt::format(R"({{"resize":{{"rows":{},"columns":{}}}}})", rows, columns));
}

std::optional<Verdict> ReadControl(std::string_view text) {
  Result<json::value> control = ParseJson(text);
  if (!control) return std::nullopt;
  Verdict verdict{.exit = std::nullopt, .error = TextAt(*control, "error")};
  if (auto code = ParseInt(TextAt(*control, "exit"))) verdict.exit = static_cast<int>(*code);
  if (!verdict.exit && verdict.error.empty()) return std::nullopt;
  return verdict;
}

}  // namespace yard::cli
