#include "data/chunk.h"

#include <sodium.h>

#include <cstring>

#include <fmt/format.h>

#include "base/check.h"

namespace yard::data {
namespace {

int Nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

ChunkId IdOf(std::string_view content) {
  static const int ready = sodium_init();
  YARD_CHECK(ready >= 0);
  ChunkId id;
  crypto_generichash(id.bytes.data(), id.bytes.size(),
                     reinterpret_cast<const unsigned char*>(content.data()), content.size(),
                     nullptr, 0);
  return id;
}

std::string Hex(const ChunkId& id) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * kIdBytes);
  for (std::uint8_t byte : id.bytes) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::optional<ChunkId> ParseHex(std::string_view text) {
  if (text.size() != 2 * kIdBytes) return std::nullopt;
  ChunkId id;
  for (std::size_t i = 0; i < kIdBytes; ++i) {
    const int high = Nibble(text[2 * i]);
    const int low = Nibble(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return id;
}

std::optional<ChunkId> IdFromBytes(std::string_view bytes) {
  if (bytes.size() != kIdBytes) return std::nullopt;
  ChunkId id;
  std::memcpy(id.bytes.data(), bytes.data(), kIdBytes);
  return id;
}

std::string JoinIds(std::span<const ChunkId> ids) {
  std::string bytes;
  bytes.reserve(ids.size() * kIdBytes);
  for (const ChunkId& id : ids) bytes.append(id.view());
  return bytes;
}

Result<std::vector<ChunkId>> SplitIds(std::string_view bytes) {
  if (bytes.size() % kIdBytes != 0)
    return Fail(Code::kInvalid, "the body is not a list of chunk ids of 32 bytes each");
  if (bytes.size() / kIdBytes > kMostIds)
    return Fail(Code::kTooLarge, fmt::format("more than {} chunk ids at once", kMostIds));
  std::vector<ChunkId> ids;
  ids.reserve(bytes.size() / kIdBytes);
  for (; !bytes.empty(); bytes.remove_prefix(kIdBytes))
    ids.push_back(*IdFromBytes(bytes.substr(0, kIdBytes)));
  return ids;
}

}  // namespace yard::data
