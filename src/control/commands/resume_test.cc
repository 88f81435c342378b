#include <gtest/gtest.h>

#include "control/commands/workloads.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

class ResumeWhileStopping : public ::testing::Test {
 protected:
  void SetUp() override {
    id_ = yard_.Submit("train", R"({"command":"x"})");
    yard_.Run(id_);
    yard_.engine().Behave(FakeEngine::OnLaunch::kWait, FakeEngine::OnStop::kIgnore);
    ASSERT_TRUE(Suspend());
    ASSERT_EQ(yard_.PhaseOf(id_), Phase::kStopping);
  }
  Status Suspend() {
    return yard_.Do(
        [this](Txn& txn) { return Outcome(SuspendWorkload(txn, id_, WorkloadType::kTraining)); });
  }
  Status Resume() {
    return yard_.Do(
        [this](Txn& txn) { return Outcome(ResumeWorkload(txn, id_, WorkloadType::kTraining)); });
  }

  YardFixture yard_;
  WorkloadId id_;
};

TEST_F(ResumeWhileStopping, StartsAgainOnceItHasStopped) {
  ASSERT_TRUE(Resume());
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kStopping);
  yard_.End(id_, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.AttemptOf(id_)->number, 2);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kInitializing);
}

TEST_F(ResumeWhileStopping, IsTakenBackByAnotherSuspension) {
  ASSERT_TRUE(Resume());
  ASSERT_TRUE(Suspend());
  yard_.End(id_, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(id_), Phase::kStopped);
}

}  // namespace
}  // namespace yard::control
