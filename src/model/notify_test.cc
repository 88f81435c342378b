#include "model/notify.h"

#include <gtest/gtest.h>

namespace yard {
namespace {

TEST(RetrySchedule, PausesGrowFourfoldAndEndWithinTwoHours) {
  EXPECT_EQ(PauseAfter(1), Seconds(1));
  EXPECT_EQ(PauseAfter(2), Seconds(4));
  EXPECT_EQ(PauseAfter(3), Seconds(16));
  Micros sum;
  std::int64_t tries = 1;
  while (std::optional<Micros> pause = PauseAfter(tries)) {
    sum += *pause;
    ++tries;
  }
  EXPECT_EQ(tries, 8);
  EXPECT_GT(sum, Hours(1));
  EXPECT_LT(sum, Hours(2));
}

TEST(NotifyRule, WantsWhatItNamesWhileItIsEnabled) {
  NotifyRule rule{.events = {NotifyEvent::kFailed}};
  EXPECT_TRUE(rule.Wants(NotifyEvent::kFailed));
  EXPECT_FALSE(rule.Wants(NotifyEvent::kRunning));
  rule.enabled = false;
  EXPECT_FALSE(rule.Wants(NotifyEvent::kFailed));
}

}  // namespace
}  // namespace yard
