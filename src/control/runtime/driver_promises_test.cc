// Places that are cleared for somebody: who has them, and when they are given up.
#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/runtime/driver.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

std::string Gpus(int count) {
  return R"({"command":"x","compute":{"gpuDevicesRequest":)" + std::to_string(count) + "}}";
}

// Four GPUs, held by two jobs that take their time to stop; a third waits for two.
class PromisedPlaces : public ::testing::Test {
 protected:
  PromisedPlaces() {
    yard_.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kIgnore);
    first_ = yard_.Submit("first", Gpus(2));
    second_ = yard_.Submit("second", Gpus(2));
    third_ = yard_.Submit("third", Gpus(2));
    yard_.Settle();
  }

  WorkloadId SubmitWinner(const std::string& name = "winner") {
    WorkloadId id = yard_.Submit(name, Gpus(4), WorkloadType::kWorkspace);
    yard_.Settle();
    return id;
  }
  bool IsToldToStop(WorkloadId id) const { return yard_.AttemptOf(id)->stop.has_value(); }

  YardFixture yard_;
  WorkloadId first_;
  WorkloadId second_;
  WorkloadId third_;
};

TEST_F(PromisedPlaces, AreHeldUntilTheLastHasLeft) {
  WorkloadId winner = SubmitWinner();
  ASSERT_TRUE(IsToldToStop(first_));
  ASSERT_TRUE(IsToldToStop(second_));
  yard_.Advance(Seconds(2));
  EXPECT_EQ(yard_.ReasonOf(winner), "PlaceHeld");
  yard_.End(first_, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(first_), Phase::kPending);
  EXPECT_EQ(yard_.PhaseOf(third_), Phase::kPending);
  EXPECT_EQ(yard_.PhaseOf(winner), Phase::kPending);
  yard_.End(second_, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(winner), Phase::kRunning);
  EXPECT_EQ(yard_.Find(third_)->attempts, 0);
  EXPECT_EQ(yard_.Find(first_)->attempts, 1);
}

TEST_F(PromisedPlaces, AreForOthersWhenTheWinnerDoesNotWaitAnyMore) {
  WorkloadId winner = SubmitWinner();
  ASSERT_TRUE(IsToldToStop(first_));
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return DeleteWorkload(txn, winner, std::nullopt); }));
  yard_.End(first_, EndCause::kSignal, std::nullopt);
  const bool taken =
      yard_.PhaseOf(first_) == Phase::kRunning || yard_.PhaseOf(third_) == Phase::kRunning;
  EXPECT_TRUE(taken);
}

TEST_F(PromisedPlaces, AreGivenUpWhenTheirNodeIsLost) {
  WorkloadId winner = SubmitWinner();
  ASSERT_TRUE(IsToldToStop(first_));
  yard_.engine().SetReady("node0", false);
  yard_.Settle();
  yard_.End(first_, EndCause::kSignal, std::nullopt);
  yard_.End(second_, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(winner), Phase::kPending);
  yard_.engine().SetReady("node0", true);
  yard_.Settle();
  EXPECT_EQ(yard_.PhaseOf(winner), Phase::kRunning);
}

TEST_F(PromisedPlaces, AreNotTakenFromTheSameWorkMoreThanFourTimesAnHour) {
  yard_.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kEnd);
  for (int round = 0; round < 4; ++round) {
    WorkloadId winner = SubmitWinner("winner-" + std::to_string(round));
    ASSERT_EQ(yard_.PhaseOf(winner), Phase::kRunning) << round;
    yard_.End(winner);
    yard_.Settle();
  }
  ASSERT_EQ(yard_.Find(first_)->attempts, 5);
  WorkloadId last = SubmitWinner("last");
  EXPECT_EQ(yard_.PhaseOf(last), Phase::kPending);
  EXPECT_FALSE(IsToldToStop(first_));
  yard_.Advance(Hours(1));
  yard_.Settle();
  EXPECT_EQ(yard_.PhaseOf(last), Phase::kRunning);
}

}  // namespace
}  // namespace yard::control
