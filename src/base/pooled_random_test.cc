#include "base/pooled_random.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace yard {
namespace {

// Counts upwards, and how often it was asked.
class CountingRandom final : public Random {
 public:
  void Fill(std::span<std::uint8_t> bytes) override {
    ++asked;
    for (std::uint8_t& byte : bytes) byte = next++;
  }
  int asked = 0;
  std::uint8_t next = 0;
};

TEST(PooledRandom, GivesEveryByteOfItsSourceOnce) {
  CountingRandom source;
  PooledRandom random(source);
  std::set<std::vector<std::uint8_t>> seen;
  for (int i = 0; i < 25; ++i) {
    std::vector<std::uint8_t> id(10);
    random.Fill(id);
    EXPECT_TRUE(seen.insert(id).second);
  }
  EXPECT_EQ(source.asked, 1);
}

TEST(PooledRandom, AsksAgainWhenThePoolIsEmpty) {
  CountingRandom source;
  PooledRandom random(source);
  std::vector<std::uint8_t> bytes(200);
  for (int i = 0; i < 3; ++i) random.Fill(bytes);
  EXPECT_EQ(source.asked, 2);
  EXPECT_EQ(bytes[1], static_cast<std::uint8_t>(bytes[0] + 1));
}

TEST(PooledRandom, PassesLargeWishesOn) {
  CountingRandom source;
  PooledRandom random(source);
  std::vector<std::uint8_t> bytes(4096);
  random.Fill(bytes);
  EXPECT_EQ(bytes[4095], static_cast<std::uint8_t>(4095));
  EXPECT_EQ(source.asked, 1);
}

}  // namespace
}  // namespace yard
