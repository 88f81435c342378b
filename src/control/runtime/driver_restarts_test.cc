// Work that starts again in another size or place.
#include <gtest/gtest.h>

#include "control/commands/scheduler_settings.h"
#include "control/commands/workloads.h"
#include "control/runtime/driver.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

std::string Elastic(int least, int most) {
  return R"({"command":"x","compute":{"gpuDevicesRequest":1},"minReplicas":)" +
         std::to_string(least) + R"(,"numWorkers":)" + std::to_string(most) + "}";
}

std::string Gpus(int count, const std::string& more = "") {
  return R"({"command":"x",)" + more + R"("compute":{"gpuDevicesRequest":)" +
         std::to_string(count) + "}}";
}

void Set(YardFixture& yard, const std::string& key, const std::string& value) {
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    YARD_TRY(CheckSetting(key, value));
    Setting setting{.id = key, .stamp = txn.NewStamp()};
    setting.value.json = R"({"value":")" + value + "\"}";
    txn.Put(std::move(setting));
    return {};
  }));
  yard.Settle();
}

std::size_t TasksOf(const YardFixture& yard, WorkloadId id) {
  return yard.AttemptOf(id)->places.size();
}

class Restarts : public ::testing::Test {
 protected:
  Restarts() { yard_.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kIgnore); }

  YardFixture yard_;
};

TEST_F(Restarts, ElasticWorkRunsWithItsNumberOfWorkersUnlessElasticWorkIsAllowed) {
  yard_.Submit("other", Gpus(2));
  WorkloadId id = yard_.Submit("wide", Elastic(1, 4), WorkloadType::kDistributed);
  yard_.Settle();
  EXPECT_EQ(yard_.PhaseOf(id), Phase::kPending);
  Set(yard_, "scheduler.elastic", "on");
  EXPECT_EQ(yard_.PhaseOf(id), Phase::kRunning);
  EXPECT_EQ(TasksOf(yard_, id), 2U);
}

TEST_F(Restarts, ElasticWorkGrowsByANewAttemptAfterAWhile) {
  Set(yard_, "scheduler.elastic", "on");
  WorkloadId other = yard_.Submit("other", Gpus(2));
  WorkloadId id = yard_.Submit("wide", Elastic(1, 4), WorkloadType::kDistributed);
  yard_.Settle();
  ASSERT_EQ(TasksOf(yard_, id), 2U);
  yard_.End(other);
  EXPECT_FALSE(yard_.AttemptOf(id)->stop) << "it has just begun";
  yard_.Advance(Minutes(30));
  ASSERT_TRUE(yard_.AttemptOf(id)->stop);
  EXPECT_EQ(yard_.AttemptOf(id)->stop->rule, "grow");
  // Its place is held meanwhile.
  WorkloadId late = yard_.Submit("late", Gpus(1));
  yard_.Settle();
  EXPECT_EQ(yard_.PhaseOf(late), Phase::kPending);
  yard_.End(id, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(id), Phase::kRunning);
  EXPECT_EQ(TasksOf(yard_, id), 4U);
  EXPECT_EQ(yard_.Find(id)->attempts, 2);
}

TEST_F(Restarts, ElasticWorkShrinksForWorkOfHigherPriority) {
  Set(yard_, "scheduler.elastic", "on");
  WorkloadId id = yard_.Submit("wide", Elastic(1, 4), WorkloadType::kDistributed);
  yard_.Settle();
  ASSERT_EQ(TasksOf(yard_, id), 4U);
  WorkloadId winner = yard_.Submit("winner", Gpus(2), WorkloadType::kWorkspace);
  yard_.Settle();
  ASSERT_TRUE(yard_.AttemptOf(id)->stop);
  EXPECT_EQ(yard_.AttemptOf(id)->stop->rule, "shrink");
  EXPECT_EQ(yard_.AttemptOf(id)->stop->by, "winner");
  yard_.End(id, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(winner), Phase::kRunning);
  EXPECT_EQ(yard_.PhaseOf(id), Phase::kRunning);
  EXPECT_EQ(TasksOf(yard_, id), 2U);
}

TEST_F(Restarts, ElasticWorkThatIsCancelledMeanwhileDoesNotStartAgain) {
  Set(yard_, "scheduler.elastic", "on");
  WorkloadId id = yard_.Submit("wide", Elastic(1, 4), WorkloadType::kDistributed);
  WorkloadId winner = yard_.Submit("winner", Gpus(2), WorkloadType::kWorkspace);
  yard_.Settle();
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return DeleteWorkload(txn, id, std::nullopt); }));
  yard_.End(id, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(winner), Phase::kRunning);
  EXPECT_EQ(yard_.Find(id)->attempts, 1);
}

// Two nodes of two GPUs, each half full.
class Moves : public ::testing::Test {
 protected:
  static constexpr const char* kSaves = R"("signalBeforeEnd":{"signal":"USR1","seconds":1},)";
  Moves() {
    yard_.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kIgnore);
    WorkloadId filler = yard_.Submit("filler", Gpus(1));
    first_ = yard_.Submit("first", Gpus(1, kSaves));
    second_ = yard_.Submit("second", Gpus(1, kSaves));
    yard_.Settle();
    yard_.End(filler);
  }

  YardFixture yard_{{.nodes = 2, .gpus = 2}};
  WorkloadId first_;
  WorkloadId second_;
};

TEST_F(Moves, NothingIsMovedUnlessMovesAreAllowed) {
  WorkloadId large = yard_.Submit("large", Gpus(2));
  yard_.Settle();
  EXPECT_EQ(yard_.PhaseOf(large), Phase::kPending);
  EXPECT_FALSE(yard_.AttemptOf(first_)->stop || yard_.AttemptOf(second_)->stop);
}

TEST_F(Moves, WorkThatSavesItselfStartsAgainElsewhereSoThatALargeOneFits) {
  Set(yard_, "scheduler.moves", "2");
  WorkloadId large = yard_.Submit("large", Gpus(2));
  yard_.Settle();
  const WorkloadId moved = yard_.AttemptOf(first_)->stop ? first_ : second_;
  const WorkloadId stays = moved == first_ ? second_ : first_;
  ASSERT_TRUE(yard_.AttemptOf(moved)->stop);
  EXPECT_EQ(yard_.AttemptOf(moved)->stop->rule, "move");
  EXPECT_FALSE(yard_.AttemptOf(stays)->stop);
  // The place it moves to is held for it.
  WorkloadId late = yard_.Submit("late", Gpus(1));
  yard_.Settle();
  EXPECT_EQ(yard_.PhaseOf(late), Phase::kPending);
  yard_.End(moved, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard_.PhaseOf(moved), Phase::kRunning);
  EXPECT_EQ(yard_.PhaseOf(large), Phase::kRunning);
  EXPECT_EQ(yard_.AttemptOf(moved)->places[0].node, yard_.AttemptOf(stays)->places[0].node);
  EXPECT_EQ(yard_.Find(stays)->attempts, 1);
}

TEST_F(Moves, WorkThatWouldLoseItsStateStaysWhereItIs) {
  YardFixture plain({.nodes = 2, .gpus = 2});
  plain.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kIgnore);
  WorkloadId filler = plain.Submit("filler", Gpus(1));
  WorkloadId first = plain.Submit("first", Gpus(1));
  plain.Submit("second", Gpus(1));
  plain.Settle();
  plain.End(filler);
  Set(plain, "scheduler.moves", "2");
  WorkloadId large = plain.Submit("large", Gpus(2));
  plain.Settle();
  EXPECT_EQ(plain.PhaseOf(large), Phase::kPending);
  EXPECT_FALSE(plain.AttemptOf(first)->stop);
}

}  // namespace
}  // namespace yard::control
