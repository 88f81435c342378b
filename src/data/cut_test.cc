#include "data/cut.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "data/chunk.h"

namespace yard::data {
namespace {

std::string Noise(std::size_t size, std::uint64_t seed) {
  SeededRandom random(seed);
  std::string bytes(size, '\0');
  random.Fill({reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  return bytes;
}

std::vector<std::string> Cut(std::string_view bytes) {
  std::vector<std::string> chunks;
  while (!bytes.empty()) {
    const std::size_t size = CutAt(bytes);
    chunks.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return chunks;
}

std::set<ChunkId> IdsOf(std::string_view bytes) {
  std::set<ChunkId> ids;
  for (const std::string& chunk : Cut(bytes)) ids.insert(IdOf(chunk));
  return ids;
}

std::size_t NewIn(const std::set<ChunkId>& after, const std::set<ChunkId>& before) {
  std::size_t count = 0;
  for (const ChunkId& id : after) count += before.contains(id) ? 0 : 1;
  return count;
}

TEST(Cut, ChunksAreTheContentInOrderWithinTheirBounds) {
  const std::string bytes = Noise(12 << 20, 1);
  std::string joined;
  const std::vector<std::string> chunks = Cut(bytes);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    EXPECT_LE(chunks[i].size(), kLongestChunk);
    const std::size_t least = i + 1 < chunks.size() ? kShortestCut : 1;
    EXPECT_GE(chunks[i].size(), least);
    joined += chunks[i];
  }
  EXPECT_TRUE(joined == bytes);
  EXPECT_GT(chunks.size(), (12U << 20) / kUsualCut / 2);
  EXPECT_LT(chunks.size(), (12U << 20) / kUsualCut * 2);
}

TEST(Cut, ASmallChangeAnywhereLeavesNearlyAllChunksAsTheyWere) {
  constexpr int kTrials = 12;
  const std::string bytes = Noise(8 << 20, 2);
  const std::set<ChunkId> before = IdsOf(bytes);
  SeededRandom random(3);
  std::size_t all = 0;
  auto expect_few = [&](const std::string& changed) {
    const std::size_t fresh = NewIn(IdsOf(changed), before);
    EXPECT_LE(fresh, 10U);
    all += fresh;
  };
  for (int i = 0; i < kTrials; ++i) {
    const std::size_t at = random.Below(bytes.size() - 5000);
    std::string inserted = bytes;
    expect_few(inserted.insert(at, Noise(1 + random.Below(5000), 10 + i)));
    std::string removed = bytes;
    expect_few(removed.erase(at, 1 + random.Below(5000)));
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] + 1);
    expect_few(changed);
  }
  // Cuts at fixed places would change half of the chunks each time.
  EXPECT_LE(all, 3U * kTrials * 4U);
  EXPECT_GE(before.size(), 20U);
}

TEST(Cut, LongRunsOfOneByteAreOneChunkManyTimes) {
  EXPECT_LE(IdsOf(std::string(20 << 20, '\0')).size(), 2U);
}

TEST(Cut, ShortContentIsOneChunk) {
  EXPECT_EQ(CutAt(""), 0U);
  EXPECT_EQ(CutAt("x"), 1U);
  EXPECT_EQ(CutAt(std::string(kShortestCut, 'x')), kShortestCut);
}

// The cuts are part of the format: with other ones nothing that is stored would be found again.
TEST(Cut, StaysAsItIs) {
  std::string bytes;
  for (int i = 0; i < 65'536; ++i) bytes += IdOf(std::to_string(i)).view();
  std::string sizes;
  for (const std::string& chunk : Cut(bytes)) sizes += std::to_string(chunk.size()) + " ";
  EXPECT_EQ(sizes, "292153 402555 374306 271214 359930 298455 98539 ");
}

}  // namespace
}  // namespace yard::data
