#include "control/dispatch/lifecycle.h"

#include <gtest/gtest.h>

namespace yard::control {
namespace {

using engine::TaskState;
using engine::TaskStatus;

TaskStatus Running(int second) {
  TaskStatus task{.state = TaskState::kRunning};
  task.started_at = Time{} + Seconds(second);
  return task;
}

TaskStatus Ended(EndCause cause, int second, std::int32_t code = 0) {
  TaskStatus task = Running(0);
  task.state = TaskState::kEnded;
  task.end = engine::TaskEnd{.cause = cause, .exit_code = code, .at = Time{} + Seconds(second)};
  return task;
}

Progress JudgeAll(std::vector<TaskStatus> tasks, GangRule rule = GangRule::kAllComplete,
                  std::optional<StopOrder> stop = std::nullopt) {
  Attempt attempt;
  attempt.stop = std::move(stop);
  return Judge(attempt, tasks, rule);
}

TEST(Lifecycle, AGangRunsOnceItsLastRankRuns) {
  EXPECT_FALSE(JudgeAll({Running(1), TaskStatus{}}).started_at);
  EXPECT_EQ(JudgeAll({Running(1), Running(4)}).started_at, Time{} + Seconds(4));
}

TEST(Lifecycle, AnAttemptEndsWhenNothingOfItIsLeft) {
  Progress half = JudgeAll({Ended(EndCause::kCompleted, 5), Running(1)});
  EXPECT_FALSE(half.end);
  EXPECT_FALSE(half.stop_rest);
  Progress whole = JudgeAll({Ended(EndCause::kCompleted, 5), Ended(EndCause::kCompleted, 9)});
  EXPECT_EQ(whole.end->cause, EndCause::kCompleted);
  EXPECT_EQ(whole.end->at, Time{} + Seconds(9));
}

TEST(Lifecycle, TheFirstFailureStopsTheRestAndDecides) {
  EXPECT_TRUE(JudgeAll({Ended(EndCause::kExit, 5, 3), Running(1)}).stop_rest);
  Progress end = JudgeAll({Ended(EndCause::kSignal, 6), Ended(EndCause::kExit, 5, 3)});
  EXPECT_EQ(end.end->cause, EndCause::kExit);
  EXPECT_EQ(end.end->rank, 1);
}

TEST(Lifecycle, TheEndOfAMasterIsTheEndOfTheWork) {
  EXPECT_TRUE(
      JudgeAll({Ended(EndCause::kCompleted, 5), Running(1)}, GangRule::kFirstDecides).stop_rest);
  Progress end = JudgeAll({Ended(EndCause::kCompleted, 5), Ended(EndCause::kSignal, 6)},
                          GangRule::kFirstDecides);
  EXPECT_EQ(end.end->cause, EndCause::kCompleted);
}

TEST(Lifecycle, AClockThatIsSetBackHidesNeitherTheOrderNorTheLengthOfARun) {
  StopOrder order{EndCause::kSuspended, "ann", "", Time{} + Seconds(100)};
  TaskStatus killed = Ended(EndCause::kSignal, 40);
  killed.end->exit_code.reset();
  killed.end->signal = 15;
  Attempt attempt{.placed_at = Time{} + Seconds(50), .started_at = Time{} + Seconds(60)};
  attempt.stop = order;
  Progress progress = Judge(attempt, std::vector{killed}, GangRule::kAllComplete);
  EXPECT_EQ(progress.end->cause, EndCause::kSuspended);
  EXPECT_EQ(progress.end->at, Time{} + Seconds(60));
}

TEST(Lifecycle, WhatTasksCountedAtTheirEndsIsAddedUp) {
  TaskStatus counted = Ended(EndCause::kCompleted, 5);
  counted.end->used = engine::EndUse{.cpu = Seconds(2), .memory_peak = Mebibytes(3)};
  AttemptUse use = CountedBy(std::vector{counted, counted, Ended(EndCause::kCompleted, 5)});
  EXPECT_EQ(use.cpu, Seconds(4));
  EXPECT_EQ(use.memory_peak, Mebibytes(6));
  EXPECT_FALSE(CountedBy(std::vector{Ended(EndCause::kCompleted, 5)}).cpu);
}

TEST(Lifecycle, AnOrderToStopDecidesTheCauseUnlessAllWasOverBefore) {
  StopOrder order{EndCause::kPreempted, "other", "reclaim", Time{} + Seconds(10)};
  auto after = JudgeAll({Ended(EndCause::kExit, 12, 1)}, GangRule::kAllComplete, order);
  EXPECT_EQ(after.end->cause, EndCause::kPreempted);
  auto before = JudgeAll({Ended(EndCause::kExit, 9, 1)}, GangRule::kAllComplete, order);
  EXPECT_EQ(before.end->cause, EndCause::kExit);
}

Life FateAfter(EndCause cause, DesiredPhase desired = DesiredPhase::kRunning, RunRules rules = {}) {
  Workload workload;
  workload.desired = desired;
  workload.rules = std::move(rules);
  Attempt attempt;
  attempt.end = AttemptEnd{.cause = cause};
  Fate fate = FateOf(workload, attempt);
  return fate.transition ? fate.transition->next : Life::kNew;
}

TEST(Lifecycle, EveryCauseHasItsPhase) {
  EXPECT_EQ(FateAfter(EndCause::kCompleted), Life::kCompleted);
  EXPECT_EQ(FateAfter(EndCause::kExit), Life::kFailed);
  EXPECT_EQ(FateAfter(EndCause::kNodeLost), Life::kFailed);
  EXPECT_EQ(FateAfter(EndCause::kTimeLimit), Life::kFailed);
  EXPECT_EQ(FateAfter(EndCause::kPreempted), Life::kWaiting);
  EXPECT_EQ(FateAfter(EndCause::kPreempted, DesiredPhase::kRunning, {.ends_when_preempted = true}),
            Life::kFailed);
  EXPECT_EQ(FateAfter(EndCause::kSuspended, DesiredPhase::kStopped), Life::kSuspended);
  EXPECT_EQ(FateAfter(EndCause::kPreempted, DesiredPhase::kStopped), Life::kSuspended);
  EXPECT_EQ(FateAfter(EndCause::kDeleted, DesiredPhase::kDeleted), Life::kNew);
}

TEST(Lifecycle, WhatIsLostOffItsGpusIsStoppedNotFailed) {
  Attempt attempt;
  attempt.end = AttemptEnd{.cause = EndCause::kNodeLost};
  attempt.residence = Residence::kAway;
  EXPECT_EQ(FateOf(Workload{}, attempt).transition->next, Life::kSuspended);
  attempt.residence = Residence::kReturning;
  EXPECT_EQ(FateOf(Workload{}, attempt).transition->next, Life::kFailed);
}

TEST(Lifecycle, ARetryIsForItsCausesAndCodesOnly) {
  RetryRule rule{.limit = 1, .on = {EndCause::kExit}, .exit_codes = {75}};
  EXPECT_TRUE(AllowsRetry(rule, 0, {.cause = EndCause::kExit, .exit_code = 75}));
  EXPECT_FALSE(AllowsRetry(rule, 0, {.cause = EndCause::kExit, .exit_code = 1}));
  EXPECT_FALSE(AllowsRetry(rule, 0, {.cause = EndCause::kSignal}));
  EXPECT_FALSE(AllowsRetry(rule, 1, {.cause = EndCause::kExit, .exit_code = 75}));
  EXPECT_FALSE(AllowsRetry({}, 0, {.cause = EndCause::kExit, .exit_code = 75}));
}

}  // namespace
}  // namespace yard::control
