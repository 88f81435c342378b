#include "base/crc32c.h"

#include <array>
#include <cstddef>

#include "base/bytes.h"

namespace yard {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;  // reflected

using Table = std::array<std::array<std::uint32_t, 256>, 8>;

// Row k holds the effect of a byte that k more bytes follow, so that eight are taken at a time.
constexpr Table MakeTable() {
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[0][byte] = crc;
  }
  for (std::size_t row = 1; row < 8; ++row) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      std::uint32_t before = table[row - 1][byte];
      table[row][byte] = (before >> 8) ^ table[0][before & 0xFF];
    }
  }
  return table;
}

constexpr Table kTable = MakeTable();

}  // namespace

std::uint32_t Crc32c(std::string_view bytes, std::uint32_t seed) {
  std::uint32_t crc = ~seed;
  while (bytes.size() >= 8) {
    std::uint64_t word = LoadFixed64(bytes.data()) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) crc ^= kTable[7 - i][(word >> (8 * i)) & 0xFF];
    bytes.remove_prefix(8);
  }
  for (char byte : bytes)
    crc = (crc >> 8) ^ kTable[0][(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~crc;
}

}  // namespace yard
