#include "store/sqlite/packed_text.h"

#include <array>
#include <charconv>

namespace yard::store {

void AppendPacked(std::string& out, std::string_view text) {
  std::array<char, 20> digits{};
  char* end = std::to_chars(digits.data(), digits.data() + digits.size(), text.size()).ptr;
  out.append(digits.data(), end);
  out += ':';
  out += text;
}

std::optional<std::string_view> TakePacked(std::string_view& rest) {
  std::size_t size = 0;
  const char* end = rest.data() + rest.size();
  auto [colon, error] = std::from_chars(rest.data(), end, size);
  if (error != std::errc{} || colon == end || *colon != ':') return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(colon + 1 - rest.data()));
  if (rest.size() < size) return std::nullopt;
  std::string_view text = rest.substr(0, size);
  rest.remove_prefix(size);
  return text;
}

}  // namespace yard::store
