#include "data/cut.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "data/chunk.h"

namespace yard::data {
namespace {

// SplitMix64, from a fixed beginning.
constexpr std::array<std::uint64_t, 256> MakeGear() {
  std::array<std::uint64_t, 256> gear{};
  std::uint64_t state = 0x6770'7579'6172'6431;  // "gpuyard1"
  for (std::uint64_t& value : gear) {
    state += 0x9e37'79b9'7f4a'7c15;
    std::uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58'476d'1ce4'e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d0'49bb'1331'11eb;
    value = mixed ^ (mixed >> 31);
  }
  return gear;
}
constexpr std::array<std::uint64_t, 256> kGear = MakeGear();

// The high bits depend on the most bytes.
constexpr std::uint64_t HighBits(int count) {
  return ~std::uint64_t{0} << (64 - count);
}
constexpr std::uint64_t kRare = HighBits(20);   // before the usual length
constexpr std::uint64_t kOften = HighBits(16);  // after it

}  // namespace

std::size_t CutAt(std::string_view bytes) {
  const std::size_t longest = std::min(bytes.size(), kLongestChunk);
  if (longest <= kShortestCut) return longest;
  const std::size_t usual = std::min(longest, kUsualCut);
  std::uint64_t hash = 0;
  std::size_t at = kShortestCut;
  for (; at < usual; ++at) {
    hash = (hash << 1) + kGear[static_cast<unsigned char>(bytes[at])];
    if ((hash & kRare) == 0) return at + 1;
  }
  for (; at < longest; ++at) {
    hash = (hash << 1) + kGear[static_cast<unsigned char>(bytes[at])];
    if ((hash & kOften) == 0) return at + 1;
  }
  return longest;
}

}  // namespace yard::data
