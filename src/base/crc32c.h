// CRC-32C (Castagnoli), the checksum of storage formats. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace yard {

// Crc32c("123456789") is 0xE3069283. `seed` is the checksum of what came before.
std::uint32_t Crc32c(std::string_view bytes, std::uint32_t seed = 0);

}  // namespace yard
