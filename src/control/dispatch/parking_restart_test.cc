// What a server finds of parked work when it comes back, and a crash between any two steps.
#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/dispatch/cycle.h"
#include "control/dispatch/parking.h"
#include "control/testing/parking_fixture.h"

namespace yard::control {
namespace {

constexpr auto kTraining = WorkloadType::kTraining;
constexpr const char* kSpec = R"({"command":"x","compute":{"gpuDevicesRequest":4}})";

class ParkingRestart : public ParkingFixture {};

TEST_F(ParkingRestart, AnOrderToLeaveThatNeverReachedTheEngineIsCarriedOut) {
  yard_.StopDriver();
  ASSERT_TRUE(Park());
  EXPECT_EQ(ResidenceOf(), Residence::kLeaving);
  yard_.Restart();
  EXPECT_EQ(ResidenceOf(), Residence::kAway);
  EXPECT_EQ(yard_.ReasonOf(id_), "Parked");
  EXPECT_TRUE(yard_.engine().Find(yard_.KeyOf(id_))->parked);
}

TEST_F(ParkingRestart, WhileNobodyKnowsWhetherItLeftTheEngineIsAskedAgain) {
  yard_.StopDriver();
  ASSERT_TRUE(Park());
  yard_.engine().RefuseParks(Error{Code::kUnavailable, "its keeper does not answer"});
  yard_.Restart();
  EXPECT_EQ(ResidenceOf(), Residence::kLeaving) << "it may be away already";
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
  EXPECT_NE(yard_.Find(id_)->phase_message.find("its keeper does not answer"), std::string::npos);
  yard_.Advance(Seconds(9));
  EXPECT_EQ(yard_.engine().parks(), 1U);
  yard_.Advance(Seconds(2));
  EXPECT_EQ(yard_.engine().parks(), 2U);
  yard_.engine().RefuseParks(std::nullopt);
  yard_.Advance(Seconds(11));
  EXPECT_EQ(ResidenceOf(), Residence::kAway);
  EXPECT_EQ(yard_.ReasonOf(id_), "Parked");
}

TEST_F(ParkingRestart, WhoseEngineCannotMoveItStays) {
  yard_.StopDriver();
  ASSERT_TRUE(Park());
  yard_.engine().RefuseParks(Error{Code::kUnsupported, "its driver refuses"});
  yard_.Restart();
  EXPECT_EQ(ResidenceOf(), Residence::kOnGpu);
  EXPECT_EQ(yard_.ReasonOf(id_), "Running");
}

TEST_F(ParkingRestart, WhatIsAwayIsFoundAwayAndComesBack) {
  ASSERT_TRUE(Park());
  yard_.Restart();
  EXPECT_EQ(yard_.ReasonOf(id_), "Parked");
  WorkloadId other = yard_.Submit("other", kSpec);
  EXPECT_EQ(yard_.PhaseOf(other), Phase::kInitializing);
  ASSERT_TRUE(Resume());
  yard_.Restart();
  EXPECT_EQ(yard_.ReasonOf(id_), "WaitsForItsGpus");
  yard_.End(other);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
  EXPECT_EQ(yard_.engine().launches(), 2U) << "each once";
}

TEST_F(ParkingRestart, AReturnThatWasBegunIsEnded) {
  ASSERT_TRUE(Park());
  yard_.StopDriver();
  ASSERT_TRUE(Resume());
  ASSERT_TRUE(StartReturn());
  EXPECT_EQ(ResidenceOf(), Residence::kReturning);
  yard_.Restart();
  EXPECT_EQ(ResidenceOf(), Residence::kOnGpu);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
}

TEST_F(ParkingRestart, WhatIsNotThereAnyMoreWasLostAway) {
  ASSERT_TRUE(Park());
  yard_.engine().Lose(yard_.KeyOf(id_));
  yard_.Restart();
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kStopped);
  EXPECT_EQ(yard_.ReasonOf(id_), "NodeLost");
}

TEST_F(ParkingRestart, AnOrderToStopComesBeforeAnOrderToLeave) {
  yard_.StopDriver();
  ASSERT_TRUE(Park());
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return Outcome(SuspendWorkload(txn, id_, kTraining)); }));
  yard_.Restart();
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kStopped);
  EXPECT_EQ(yard_.AttemptOf(id_)->end->cause, EndCause::kSuspended);
  EXPECT_EQ(yard_.engine().parks(), 0U);
}

TEST_F(ParkingRestart, WhatIsToldToStopWhileItLeavesHasItsGpusUntilItsEnd) {
  yard_.StopDriver();
  ASSERT_TRUE(Park());
  const AttemptId attempt = yard_.AttemptOf(id_)->id;
  const CycleScope scope{yard_.Find(id_)->cluster, "fake"};
  auto commit = [&](const Cycle& cycle) {
    return yard_.Do([&](Txn& txn) { return CommitCycle(txn, scope, cycle); });
  };
  const StopOrder stop{EndCause::kTimeLimit, "", "time-limit", yard_.clock().Now()};
  ASSERT_TRUE(commit({.stops = {{id_, attempt, stop}}}));
  ASSERT_TRUE(yard_.AttemptOf(id_)->stop);
  ASSERT_TRUE(commit({.moved = {{.attempt = attempt, .from = Residence::kLeaving}}}));
  EXPECT_EQ(ResidenceOf(), Residence::kLeaving);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kRunning);
}

TEST_F(ParkingRestart, AnAnswerThatCouldNotBeRecordedIsRecordedLater) {
  yard_.store().fail_after = 1;  // the order is written, then the disk is full
  ASSERT_TRUE(Park());
  EXPECT_EQ(ResidenceOf(), Residence::kLeaving);
  yard_.store().fail_after.reset();
  yard_.Advance(Seconds(1));
  EXPECT_EQ(ResidenceOf(), Residence::kAway);
  EXPECT_EQ(yard_.engine().parks(), 1U);
}

// The server dies after any number of commits: nothing is launched twice, and the way out and back
// goes on where it was.
class ParkingCrash : public ::testing::TestWithParam<int> {};

TEST_P(ParkingCrash, AfterAnyCommitItIsWhereItWasOrGoesOn) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", kSpec);
  yard.Run(id);
  auto park = [&](Txn& txn) { return Outcome(ParkWorkload(txn, id)); };
  auto resume = [&](Txn& txn) { return Outcome(ResumeWorkload(txn, id, kTraining)); };
  yard.store().fail_after = GetParam();
  Status ignored = yard.Do(park);
  ignored = yard.Do(resume);
  yard.StopDriver();
  yard.store().fail_after.reset();
  yard.Restart();
  Status again = yard.PhaseOf(id) == Phase::kRunning ? Status{} : yard.Do(resume);
  EXPECT_TRUE(again.has_value());
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  EXPECT_FALSE(yard.engine().Find(yard.KeyOf(id))->parked);
  EXPECT_EQ(yard.engine().launches(), 1U);
  yard.End(id);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kCompleted);
}

INSTANTIATE_TEST_SUITE_P(EveryCommit, ParkingCrash, ::testing::Range(0, 6));

}  // namespace
}  // namespace yard::control
