// Chunks as they travel and as they are stored: id, encoding, length, payload. A payload is the
// content itself, or deflated where that is shorter. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/chunk.h"

namespace yard::data {

enum class Encoding : std::uint8_t { kPlain = 0, kDeflate = 1 };

struct Frame {
  ChunkId id;
  Encoding encoding = Encoding::kPlain;
  std::uint64_t length = 0;  // of the content
  std::string_view payload;  // borrowed
};

inline constexpr std::size_t kMostFrames = 4096;

void AppendFrame(std::string& out, const Frame& frame);
// The same for content, packed here.
void AppendPacked(std::string& out, const ChunkId& id, std::string_view content);

// Borrowed from `bytes`. kInvalid if it is not frames from end to end.
Result<std::vector<Frame>> ReadFrames(std::string_view bytes);

// The content, if it is what the id says; else kInvalid with the id.
Result<std::string> Unpack(const Frame& frame);

}  // namespace yard::data
