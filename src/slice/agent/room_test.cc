#include "slice/agent/room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace yard::slice {
namespace {

constexpr std::uint64_t kGib = 1ULL << 30;

TEST(Room, AGrowingSliceGetsWhatNoRequestNeeds) {
  const std::vector<Claim> claims = {{2 * kGib, 9 * kGib, 2 * kGib, 2 * kGib},
                                     {3 * kGib, 3 * kGib, 3 * kGib, 0}};
  EXPECT_EQ(RoomFor(10 * kGib, claims, 0), 5 * kGib) << "the neighbour's unused request is kept";
  EXPECT_TRUE(Grow(10 * kGib, claims, 0, 5 * kGib));
  EXPECT_FALSE(Grow(10 * kGib, claims, 0, 5 * kGib + 1));
}

TEST(Room, NobodyGrowsBeyondItsLimit) {
  const std::vector<Claim> claims = {{2 * kGib, 4 * kGib, 2 * kGib, 2 * kGib}};
  EXPECT_FALSE(Grow(10 * kGib, claims, 0, 2 * kGib + 1));
  EXPECT_EQ(Grow(10 * kGib, claims, 0, 2 * kGib)->cap, 4 * kGib);
}

TEST(Room, AnUnusedCapGoesToWhoeverNeedsIt) {
  const std::vector<Claim> claims = {{kGib, 8 * kGib, 8 * kGib, kGib},
                                     {kGib, 8 * kGib, 2 * kGib, 2 * kGib}};
  const auto growth = Grow(10 * kGib, claims, 1, 6 * kGib);
  ASSERT_TRUE(growth);
  EXPECT_TRUE(growth->from_others);
  EXPECT_EQ(growth->cap, 8 * kGib);
}

TEST(Room, WhatIsHeldAboveARequestStandsInAnothersWay) {
  std::vector<Claim> claims = {{2 * kGib, 9 * kGib, 8 * kGib, 8 * kGib},
                               {4 * kGib, 4 * kGib, 4 * kGib, 0}};
  EXPECT_TRUE(Overdrawn(10 * kGib, claims));
  EXPECT_FALSE(Grow(10 * kGib, claims, 0, 1));
  EXPECT_TRUE(Grow(10 * kGib, claims, 1, kGib)) << "within its request it is never refused";
  claims[0].held = 6 * kGib;
  EXPECT_FALSE(Overdrawn(10 * kGib, claims));
  EXPECT_TRUE(Overpromised(10 * kGib, claims)) << "until the cap has followed";
}

// What the keeper does with the answers, and programs that come and go at random.
class Card {
 public:
  explicit Card(std::uint64_t seed) : dice_(seed) {
    std::uint64_t left = kSize;
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t request = dice_() % (left / 2);
      left -= request;
      claims_.push_back({request, request + dice_() % (kSize - request), request, 0});
    }
  }

  void Step() {
    const std::size_t which = dice_() % claims_.size();
    Claim& claim = claims_[which];
    if (dice_() % 3 == 0) {
      claim.held -= claim.held == 0 ? 0 : dice_() % claim.held;
      return;
    }
    const std::uint64_t bytes = dice_() % (kSize / 8);
    const bool within_request = claim.held + bytes <= claim.request;
    std::uint64_t free = kSize;
    for (const Claim& one : claims_) free -= Kept(one);
    const bool owed = claim.held + bytes <= claim.limit && claim.held + bytes <= Kept(claim) + free;
    auto growth = Grow(kSize, claims_, which, bytes);
    if (growth && growth->from_others)
      for (Claim& one : claims_)
        if (&one != &claim) one.cap = Kept(one);
    EXPECT_EQ(growth.has_value(), owed);
    EXPECT_TRUE(growth || !within_request);
    if (!growth) return;
    claim.cap = growth->cap;
    claim.held += bytes;
  }

  void Check() const {
    EXPECT_FALSE(Overpromised(kSize, claims_));
    for (const Claim& one : claims_) {
      EXPECT_GE(one.cap, one.request);
      EXPECT_LE(one.cap, std::max(one.limit, one.request));
      EXPECT_LE(one.held, one.cap);
    }
  }

 private:
  static constexpr std::uint64_t kSize = 1'000'000'000'000;
  std::mt19937_64 dice_;
  std::vector<Claim> claims_;
};

TEST(Room, HoldsForAnyHistory) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Card card(seed);
    for (int step = 0; step < 300 && !testing::Test::HasFailure(); ++step) {
      card.Step();
      card.Check();
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace yard::slice
