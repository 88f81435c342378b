#include "base/uuid.h"

#include <span>

namespace yard {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr bool IsDash(std::size_t i) {
  return i == 8 || i == 13 || i == 18 || i == 23;
}

}  // namespace

Uuid MakeUuid(Time now, Random& random) {
  Uuid uuid;
  random.Fill(std::span(uuid.bytes).subspan(6));
  auto millis = static_cast<std::uint64_t>(now.micros / 1000);
  for (std::size_t i = 0; i < 6; ++i) {
    uuid.bytes[i] = static_cast<std::uint8_t>(millis >> (8 * (5 - i)));
  }
  uuid.bytes[6] = static_cast<std::uint8_t>((uuid.bytes[6] & 0x0f) | 0x70);
  uuid.bytes[8] = static_cast<std::uint8_t>((uuid.bytes[8] & 0x3f) | 0x80);
  return uuid;
}

std::string FormatUuid(const Uuid& uuid) {
  std::string text(36, '-');
  std::size_t at = 0;
  for (std::uint8_t byte : uuid.bytes) {
    if (IsDash(at)) ++at;
    text[at++] = kHex[byte >> 4];
    text[at++] = kHex[byte & 15];
  }
  return text;
}

std::optional<Uuid> ParseUuid(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  Uuid uuid;
  std::size_t nibble = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsDash(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    int value = HexValue(text[i]);
    if (value < 0) return std::nullopt;
    auto& byte = uuid.bytes[nibble / 2];
    byte = static_cast<std::uint8_t>(byte << 4 | value);
    ++nibble;
  }
  return uuid;
}

}  // namespace yard
