// UUIDs, version 7: the first 48 bits are milliseconds, so ids made later sort later and a
// database appends them instead of scattering them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/time.h"

namespace yard {

struct Uuid {
  std::array<std::uint8_t, 16> bytes{};
  constexpr auto operator<=>(const Uuid&) const = default;
};

Uuid MakeUuid(Time now, Random& random);
std::string FormatUuid(const Uuid& uuid);
// Accepts the 36-character form in either case; nothing else.
std::optional<Uuid> ParseUuid(std::string_view text);

}  // namespace yard

template <>
struct std::hash<yard::Uuid> {
  std::size_t operator()(const yard::Uuid& uuid) const {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    std::memcpy(&high, uuid.bytes.data(), 8);
    std::memcpy(&low, uuid.bytes.data() + 8, 8);
    return high * 0x9e3779b97f4a7c15ULL ^ low;
  }
};
