#include "sched/order/fair_share.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::sched {
namespace {

using testing::ElementsAre;

std::vector<std::int64_t> Gpus(std::int64_t total, std::vector<Claim> claims) {
  for (Claim& claim : claims) {
    if (claim.quota != kUnlimited) claim.quota *= 1000;
    claim.requestable *= 1000;
  }
  return Divide(total * 1000, 1000, claims);
}

TEST(FairShare, QuotaComesFirstAndNeverMoreThanIsWanted) {
  EXPECT_THAT(Gpus(8, {{.quota = 4, .requestable = 2, .weight = 1},
                       {.quota = 2, .requestable = 2, .weight = 1}}),
              ElementsAre(2000, 2000));
}

TEST(FairShare, WhatQuotasLeaveIsSplitByWeight) {
  EXPECT_THAT(Gpus(8, {{.quota = 1, .requestable = 8, .weight = 2},
                       {.quota = 1, .requestable = 8, .weight = 1}}),
              ElementsAre(5000, 3000));
}

TEST(FairShare, AQueueThatWantsLessLeavesItsPartToTheOthers) {
  EXPECT_THAT(Gpus(9, {{.requestable = 1, .weight = 1},
                       {.requestable = 9, .weight = 1},
                       {.requestable = 9, .weight = 1}}),
              ElementsAre(1000, 4000, 4000));
}

TEST(FairShare, LeftoverUnitsGoByLargestRemainderThenAge) {
  // 10 by 2:1:1 is 5, 2.5, 2.5: one unit is left for two equal remainders; the older takes it.
  EXPECT_THAT(Gpus(10, {{.requestable = 10, .weight = 2},
                        {.requestable = 10, .weight = 1, .created = Time{2}},
                        {.requestable = 10, .weight = 1, .created = Time{1}}}),
              ElementsAre(5000, 2000, 3000));
  // 5 by 3:1 is 3.75 and 1.25: the larger remainder takes the unit.
  EXPECT_THAT(Gpus(5, {{.requestable = 9, .weight = 3}, {.requestable = 9, .weight = 1}}),
              ElementsAre(4000, 1000));
}

TEST(FairShare, HigherOverQuotaPriorityIsServedBeforeLower) {
  EXPECT_THAT(Gpus(6, {{.requestable = 9, .weight = 1, .priority = 0},
                       {.requestable = 4, .weight = 1, .priority = 5}}),
              ElementsAre(2000, 4000));
}

TEST(FairShare, WeightZeroTakesOnlyWhatNobodyElseWants) {
  EXPECT_THAT(Gpus(6, {{.requestable = 9, .weight = 0}, {.requestable = 4, .weight = 1}}),
              ElementsAre(2000, 4000));
  EXPECT_THAT(Gpus(4, {{.requestable = 9, .weight = 0}, {.requestable = 4, .weight = 1}}),
              ElementsAre(0, 4000));
}

TEST(FairShare, UnlimitedQuotaDeservesEverything) {
  EXPECT_THAT(Gpus(4, {{.quota = kUnlimited, .requestable = 9, .weight = 1}}), ElementsAre(4000));
}

TEST(FairShare, OversubscribedQuotasAreKeptEvenBeyondTheHardware) {
  EXPECT_THAT(Gpus(4, {{.quota = 4, .requestable = 4}, {.quota = 4, .requestable = 4}}),
              ElementsAre(4000, 4000));
}

TEST(FairShare, HugeAmountsWithoutWeightAreDividedAtOnce) {
  const std::vector<Claim> claims{{.requestable = 1LL << 50}, {.requestable = 1LL << 50}};
  EXPECT_THAT(Divide((1LL << 50) + 1, 1, claims), ElementsAre((1LL << 49) + 1, 1LL << 49));
}

TEST(FairShare, PastUsageLowersTheOverQuotaWeight) {
  const std::vector<std::int64_t> weights{1, 1};
  const std::vector<std::int64_t> usage{750'000, 250'000};
  EXPECT_THAT(DecayedWeights(weights, usage, 1000), ElementsAre(250'000, 750'000));
  EXPECT_THAT(DecayedWeights(weights, usage, 0), ElementsAre(500'000, 500'000));
  EXPECT_THAT(DecayedWeights(weights, usage, 10'000), ElementsAre(0, 3'000'000));
}

}  // namespace
}  // namespace yard::sched
