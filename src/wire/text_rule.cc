#include "wire/text_rule.h"

#include <cstdint>

namespace yard::wire {
namespace {

bool IsLayout(std::uint8_t byte) {
  return byte == '\t' || byte == '\n' || byte == '\r';
}

// U+0080 to U+009F, the second set of controls, in UTF-8.
bool IsSecondSet(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]) == 0xc2 && at + 1 < text.size() &&
         static_cast<std::uint8_t>(text[at + 1]) < 0xa0;
}

}  // namespace

std::optional<std::string_view> CharacterProblem(std::string_view text, TextShape shape) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    auto byte = static_cast<std::uint8_t>(text[at]);
    if (byte >= 0x20 && byte < 0x7f) continue;
    if (byte == 0) return "must not hold a NUL character";
    if (IsLayout(byte)) {
      if (shape == TextShape::kLines) continue;
      return "must be one line without tabs";
    }
    if (byte < 0x20 || byte == 0x7f || IsSecondSet(text, at)) {
      return "must not hold control characters";
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> VariableProblem(std::string_view name) {
  if (name.empty()) return "must not be empty";
  if (name.find('=') != std::string_view::npos) return "must not hold '='";
  return CharacterProblem(name, TextShape::kLine);
}

}  // namespace yard::wire
