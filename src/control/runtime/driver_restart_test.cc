// What a server finds when it comes back, and a crash between any two steps.
#include <gtest/gtest.h>

#include "control/commands/workloads.h"
#include "control/runtime/driver.h"
#include "control/state/retention.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

constexpr std::string_view kSpec = R"({"command":"x"})";

TEST(DriverRestart, WhatRunsGoesOnAndIsNotLaunchedAgain) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", std::string(kSpec));
  yard.Run(id);
  yard.Restart();
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  EXPECT_EQ(yard.engine().launches(), 1U);
  yard.End(id);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kCompleted);
}

TEST(DriverRestart, WhatEndedMeanwhileIsRecordedWithItsExitCode) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", std::string(kSpec));
  yard.Run(id);
  engine::TaskKey key = yard.KeyOf(id);
  yard.StopDriver();
  yard.engine().End(key, EndCause::kExit, 42);
  yard.Restart();
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
  EXPECT_EQ(yard.AttemptOf(id)->end->exit_code, 42);
}

TEST(DriverRestart, WhatRanAndIsNotThereAnyMoreIsLost) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", std::string(kSpec));
  yard.Run(id);
  yard.engine().Lose(yard.KeyOf(id));
  yard.Restart();
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
  EXPECT_EQ(yard.ReasonOf(id), "NodeLost");
}

TEST(DriverRestart, WhatWasPlacedAndNeverLaunchedIsLaunched) {
  YardFixture yard;
  yard.engine().Freeze();
  WorkloadId id = yard.Submit("train", std::string(kSpec));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
  EXPECT_EQ(yard.engine().launches(), 0U);
  yard.StopDriver();
  yard.engine().Revive();
  yard.Restart();
  EXPECT_EQ(yard.engine().launches(), 1U);
  EXPECT_EQ(yard.AttemptOf(id)->number, 1);
}

TEST(DriverRestart, AnOrderToStopThatNeverReachedTheEngineIsCarriedOut) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", std::string(kSpec));
  yard.Run(id);
  yard.engine().Freeze();
  ASSERT_TRUE(yard.Do(
      [&](Txn& txn) { return Outcome(SuspendWorkload(txn, id, WorkloadType::kTraining)); }));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopping);
  yard.StopDriver();
  yard.engine().Revive();
  yard.Restart();
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopped);
}

TEST(DriverRestart, ATaskNobodyAskedForIsStopped) {
  YardFixture yard;
  engine::TaskSpec stray;
  stray.key.attempt = AttemptId{MakeUuid(yard.clock().Now(), yard.service().random())};
  ASSERT_TRUE(yard.engine().Launch(stray));
  yard.Restart();
  EXPECT_TRUE(yard.engine().Live().empty());
}

TEST(DriverRestart, HeldAndFollowingWorkStillWaits) {
  YardFixture yard;
  WorkloadId first = yard.Submit("first", std::string(kSpec));
  WorkloadId then = yard.Submit("then", R"({"command":"x","dependsOn":[{"workload":"first"}]})");
  yard.Restart();
  EXPECT_EQ(yard.PhaseOf(then), Phase::kPending);
  yard.Run(first);
  yard.End(first);
  EXPECT_EQ(yard.PhaseOf(then), Phase::kInitializing);
}

TEST(DriverRestart, TimeLimitsGoOnCountingWhileTheServerIsDown) {
  YardFixture yard;
  WorkloadId id = yard.Submit("limited", R"({"command":"x","timeLimitSeconds":60})");
  yard.Run(id);
  yard.StopDriver();
  yard.clock().Advance(Seconds(61));
  yard.Restart();
  EXPECT_EQ(yard.ReasonOf(id), "TimeLimit");
}

TEST(DriverRestart, AttemptsAndLogsGoWithTheRecordOfTheirWorkload) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", std::string(kSpec));
  yard.Run(id);
  yard.End(id);
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return DeleteWorkload(txn, id, std::nullopt); }));
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Retire(txn, {.deleted = {id}}); }));
  EXPECT_EQ(yard.state()->Of<Attempt>().size(), 0U);
  EXPECT_EQ(yard.engine().forgotten(), 1U);
}

// The server dies after any number of commits, and after any number of calls to the engine.
class Crash : public ::testing::TestWithParam<int> {};

void LiveThrough(YardFixture& yard, WorkloadId id) {
  if (Ptr<Attempt> attempt = yard.AttemptOf(id); attempt && !attempt->end) yard.Run(id);
  Status ignored =
      yard.Do([&](Txn& txn) { return Outcome(SuspendWorkload(txn, id, WorkloadType::kTraining)); });
  ignored =
      yard.Do([&](Txn& txn) { return Outcome(ResumeWorkload(txn, id, WorkloadType::kTraining)); });
  Ptr<Attempt> attempt = yard.AttemptOf(id);
  if (attempt && !attempt->end && yard.engine().Find({attempt->id, 0})) {
    yard.Run(id);
    yard.End(id);
  }
}

TEST_P(Crash, AfterAnyCommitLeavesNothingBehindAndNothingRunsTwice) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", std::string(kSpec));
  yard.store().fail_after = GetParam();
  LiveThrough(yard, id);
  yard.StopDriver();
  yard.store().fail_after.reset();
  yard.Restart();
  // Whatever was durable is carried to its end.
  for (int round = 0; round < 4 && !IsFinal(yard.Find(id)->life); ++round) {
    Status ignored = yard.Do(
        [&](Txn& txn) { return Outcome(ResumeWorkload(txn, id, WorkloadType::kTraining)); });
    Ptr<Attempt> attempt = yard.AttemptOf(id);
    if (!attempt || attempt->end) continue;
    yard.Run(id);
    yard.End(id);
  }
  EXPECT_EQ(yard.PhaseOf(id), Phase::kCompleted);
  EXPECT_TRUE(yard.engine().Live().empty());
  EXPECT_EQ(yard.engine().launches(), yard.state()->AttemptsOf(id).size());
  for (const Ptr<Attempt>& attempt : yard.state()->AttemptsOf(id)) EXPECT_TRUE(attempt->end);
}

INSTANTIATE_TEST_SUITE_P(EveryCommit, Crash, ::testing::Range(0, 10));

class EngineCrash : public ::testing::TestWithParam<int> {};

TEST_P(EngineCrash, AfterAnyCallLeavesNothingBehindAndNothingRunsTwice) {
  YardFixture yard;
  yard.engine().FreezeAfter(GetParam());
  WorkloadId id =
      yard.Submit("train", R"({"command":"x","numWorkers":2})", WorkloadType::kDistributed);
  Status ignored = yard.Do([&](Txn& txn) { return DeleteWorkload(txn, id, std::nullopt); });
  yard.StopDriver();
  yard.engine().Revive();
  yard.Restart();
  EXPECT_TRUE(yard.engine().Live().empty());
  ASSERT_NE(yard.AttemptOf(id), nullptr);
  EXPECT_TRUE(yard.AttemptOf(id)->end.has_value());
  EXPECT_LE(yard.engine().launches(), 2U);
}

INSTANTIATE_TEST_SUITE_P(EveryCall, EngineCrash, ::testing::Range(0, 5));

}  // namespace
}  // namespace yard::control
