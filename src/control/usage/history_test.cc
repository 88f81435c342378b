#include "control/usage/history.h"

#include <gtest/gtest.h>

namespace yard::control {
namespace {

constexpr Time kStart{1'000'000'000};

Attempt Held(Time from, std::optional<Time> to, std::int64_t milli_gpu) {
  Attempt attempt{.places = {{.node = "n", .gpus = {"g"}, .each = MilliGpu(milli_gpu)}},
                  .placed_at = from,
                  .started_at = from};
  if (to) attempt.end = AttemptEnd{.at = *to};
  return attempt;
}

TEST(UsageHistory, AveragesWhatWasHeldOverEachStep) {
  UsageHistory history({kStart, kStart + Hours(4)}, 4, kStart + Hours(10));
  history.Add(Held(kStart + Minutes(30), kStart + Hours(2), 1000), {}, kStart);
  ASSERT_EQ(history.steps().size(), 4U);
  EXPECT_DOUBLE_EQ(history.steps()[0].held_milli(), 500);
  EXPECT_DOUBLE_EQ(history.steps()[1].held_milli(), 1000);
  EXPECT_DOUBLE_EQ(history.steps()[2].held_milli(), 0);
  EXPECT_EQ(history.steps()[0].busy_percent(), std::nullopt);
}

TEST(UsageHistory, WhatIsStillHeldCountsUntilNowAndNoFurther) {
  UsageHistory history({kStart, kStart + Hours(4)}, 4, kStart + Hours(2));
  history.Add(Held(kStart, std::nullopt, 2000), {}, kStart);
  ASSERT_EQ(history.steps().size(), 4U);
  EXPECT_EQ(history.steps().back().period.to, kStart + Hours(2));
  for (const UsageStep& step : history.steps()) EXPECT_DOUBLE_EQ(step.held_milli(), 2000);
}

TEST(UsageHistory, SaysHowBusyTheMeasuredPartWas) {
  UsageHistory history({kStart, kStart + Hours(2)}, 1, kStart + Hours(2));
  AttemptUse use;
  use.gpu_measured = GpuTime(1000 * Hours(1).value);
  use.gpu_used = GpuTime(1000 * Minutes(15).value);
  history.Add(Held(kStart, kStart + Hours(2), 1000), use, kStart);
  EXPECT_NEAR(history.steps()[0].busy_percent().value_or(0), 25, 0.001);
}

TEST(UsageHistory, CountsTheWaitOfAWorkloadOnceWhenItIsFirstPlaced) {
  UsageHistory history({kStart, kStart + Hours(2)}, 2, kStart + Hours(2));
  history.Add(Held(kStart + Minutes(90), kStart + Hours(2), 0), {}, kStart + Minutes(60));
  Attempt again = Held(kStart + Minutes(95), kStart + Hours(2), 0);
  again.number = 2;
  history.Add(again, {}, kStart);
  EXPECT_EQ(history.steps()[0].wait_seconds(), std::nullopt);
  EXPECT_EQ(history.steps()[1].started, 1);
  EXPECT_DOUBLE_EQ(history.steps()[1].wait_seconds().value_or(0), 1800);
  EXPECT_EQ(history.steps()[1].longest_wait, Minutes(30));
}

TEST(UsageHistory, AShortPeriodHasFewerSteps) {
  UsageHistory history({kStart, kStart + Seconds(3)}, 200, kStart + Hours(1));
  EXPECT_EQ(history.steps().size(), 3U);
}

}  // namespace
}  // namespace yard::control
