// Where content is cut into chunks: by the content itself (a gear hash over the last 64 bytes, with
// the normalised cuts of FastCDC), so that an insertion moves the cuts and does not change the
// chunks behind it. Pure.
//
// The cuts are part of the format: with others, nothing that is stored would be found again.
#pragma once

#include <cstddef>
#include <string_view>

namespace yard::data {

inline constexpr std::size_t kShortestCut = 64 << 10;
inline constexpr std::size_t kUsualCut = 256 << 10;
// And kLongestChunk at most.

// The length of the first chunk. `bytes` is everything up to the end, or at least kLongestChunk of
// it. Zero for nothing.
std::size_t CutAt(std::string_view bytes);

}  // namespace yard::data
