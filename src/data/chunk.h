// A chunk: a piece of a file's content, named by its hash.
//
// The id is BLAKE2b-256 of the content, so a reader of the content can check that a chunk is
// whole. Pure; thread-safe.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard::data {

inline constexpr std::size_t kIdBytes = 32;
// No chunk is longer.
inline constexpr std::size_t kLongestChunk = 1 << 20;
// Of one message.
inline constexpr std::size_t kMostIds = 16'384;

struct ChunkId {
  std::array<std::uint8_t, kIdBytes> bytes{};
  auto operator<=>(const ChunkId&) const = default;
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes.data()), kIdBytes}; }
};

ChunkId IdOf(std::string_view content);

// 64 digits of lower case.
std::string Hex(const ChunkId& id);
std::optional<ChunkId> ParseHex(std::string_view text);
// From the 32 bytes themselves.
std::optional<ChunkId> IdFromBytes(std::string_view bytes);

// Ids one after the other, 32 bytes each.
std::string JoinIds(std::span<const ChunkId> ids);
Result<std::vector<ChunkId>> SplitIds(std::string_view bytes);

}  // namespace yard::data

template <>
struct std::hash<yard::data::ChunkId> {
  std::size_t operator()(const yard::data::ChunkId& id) const noexcept {
    return std::hash<std::string_view>{}(id.view());
  }
};
