#include "model/attempt.h"

#include <gtest/gtest.h>

#include "model/run_rules.h"

namespace yard {
namespace {

TEST(Absences, AreWrittenDownWhenTheyAreOver) {
  Attempt attempt;
  Relocate(attempt, Residence::kLeaving, Time{10});
  EXPECT_TRUE(HoldsGpus(attempt)) << "until it is gone";
  Relocate(attempt, Residence::kAway, Time{20});
  EXPECT_FALSE(HoldsGpus(attempt));
  EXPECT_EQ(AwayUntil(attempt, Time{25}), Micros(5));
  Relocate(attempt, Residence::kReturning, Time{30});
  Relocate(attempt, Residence::kOnGpu, Time{40});
  ASSERT_EQ(attempt.absences.size(), 1U);
  EXPECT_EQ(AwayUntil(attempt, Time{99}), Micros(10));
  EXPECT_EQ(AwayUntil(attempt, Time{22}), Micros(2)) << "up to a moment in the past";
  EXPECT_EQ(AwayUntil(attempt, Time{15}), Micros(0));
}

TEST(Absences, EndWithTheAttempt) {
  Attempt attempt;
  Relocate(attempt, Residence::kAway, Time{20});
  attempt.end = AttemptEnd{.at = Time{50}};
  EXPECT_EQ(AwayUntil(attempt, Time{99}), Micros(30));
}

TEST(Absences, AClockThatWasSetBackMakesThemEmptyNotNegative) {
  Attempt attempt;
  Relocate(attempt, Residence::kAway, Time{20});
  Relocate(attempt, Residence::kOnGpu, Time{10});
  EXPECT_EQ(AwayUntil(attempt, Time{99}), Micros(0));
}

TEST(Absences, MoveTheTimeLimitBackAndNotTheTimeToStopAt) {
  RunRules rules{.time_limit = Micros(100), .stop_at = Time{500}};
  Attempt attempt;
  attempt.started_at = Time{0};
  EXPECT_EQ(DeadlineOf(rules, attempt), Time{100});
  Relocate(attempt, Residence::kAway, Time{60});
  EXPECT_EQ(DeadlineOf(rules, attempt), Time{500}) << "the limit stands still";
  Relocate(attempt, Residence::kOnGpu, Time{90});
  EXPECT_EQ(DeadlineOf(rules, attempt), Time{130});
}

}  // namespace
}  // namespace yard
