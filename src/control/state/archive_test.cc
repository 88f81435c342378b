// Ended work that has left the memory behaves like work that has not.
#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/state/retention.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

constexpr std::string_view kSpec = R"({"command":"x"})";

class ArchivedWork : public testing::Test {
 protected:
  // Work that has run, ended and gone to the archive.
  WorkloadId Archived(const std::string& name) {
    WorkloadId id = yard_.Submit(name, std::string(kSpec));
    yard_.Run(id);
    yard_.End(id);
    Archive();
    EXPECT_EQ(yard_.Find(id), nullptr) << "it is still in memory";
    return id;
  }
  void Archive() {
    yard_.Advance(Seconds(1));
    yard_.service().MoveToArchive(yard_.clock().Now());
    EXPECT_TRUE(yard_.Do([](Txn&) -> Status { return {}; }));
  }
  void Retain() {
    RunRetention(yard_.service(), {});
    EXPECT_TRUE(yard_.Do([](Txn&) -> Status { return {}; }));
  }
  Status Delete(WorkloadId id) {
    return yard_.Do([id](Txn& txn) { return DeleteWorkload(txn, id, std::nullopt); });
  }

  YardFixture yard_;
};

TEST_F(ArchivedWork, IsFoundByIdAndNameWithItsAttempts) {
  WorkloadId id = Archived("train");
  Snapshot state = yard_.state();
  EXPECT_EQ(state->archived(), 1);
  EXPECT_EQ(state->FindEver(id)->phase(), Phase::kCompleted);
  EXPECT_EQ(state->WorkloadByName(yard_.project(), "train")->id, id);
  ASSERT_EQ(state->AttemptsOf(id).size(), 1U);
  EXPECT_EQ(state->NewestAttempt(*state->FindEver(id))->end->exit_code, 0);
  EXPECT_EQ(state->LiveWorkloads(yard_.project()), 1U);
  EXPECT_EQ(state->Of<Attempt>().size(), 0U);
}

TEST_F(ArchivedWork, KeepsItsNameUntilItIsDeleted) {
  WorkloadId id = Archived("train");
  Workload again = yard_.Draft("train", std::string(kSpec), WorkloadType::kTraining);
  WorkloadId made;
  EXPECT_EQ(yard_.TrySubmit(again, &made).error().code, Code::kConflict);
  ASSERT_TRUE(Delete(id));
  EXPECT_TRUE(yard_.TrySubmit(again, &made));
  EXPECT_TRUE(yard_.Find(id)->deleted_at);
  EXPECT_EQ(yard_.state()->archived(), 0);
}

TEST_F(ArchivedWork, StaysArchivedIfAnOrderIsRefused) {
  WorkloadId id = Archived("train");
  EXPECT_FALSE(yard_.Do([id](Txn& txn) -> Status {
    YARD_TRY(HoldWorkload(txn, id));
    return {};
  }));
  EXPECT_EQ(yard_.Find(id), nullptr);
  EXPECT_NE(yard_.state()->FindEver(id), nullptr);
  EXPECT_EQ(yard_.state()->archived(), 1);
}

TEST_F(ArchivedWork, StaysArchivedIfTheCommitFails) {
  WorkloadId id = Archived("train");
  yard_.store().fail_with = Error{Code::kUnavailable, "the disk is full"};
  EXPECT_FALSE(Delete(id));
  yard_.store().fail_with.reset();
  EXPECT_EQ(yard_.Find(id), nullptr);
  ASSERT_TRUE(Delete(id));
  EXPECT_TRUE(yard_.Find(id)->deleted_at);
}

TEST_F(ArchivedWork, IsKnownToWorkThatDependsOnIt) {
  Archived("first");
  WorkloadId second =
      yard_.Submit("second", R"({"command":"x","dependsOn":[{"workload":"first"}]})");
  yard_.Settle();
  EXPECT_EQ(yard_.PhaseOf(second), Phase::kInitializing);
}

TEST_F(ArchivedWork, IsKnownAfterARestartAndKeepsItsLogAtTheEngine) {
  WorkloadId id = Archived("train");
  yard_.Restart();
  EXPECT_EQ(yard_.Find(id), nullptr);
  Snapshot state = yard_.state();
  EXPECT_EQ(state->LiveWorkloads(yard_.project()), 1U);
  EXPECT_EQ(yard_.engine().forgotten(), 0U);
}

TEST_F(ArchivedWork, IsDeletedAndForgottenWhenItsTimeIsOver) {
  WorkloadId id = Archived("train");
  yard_.Advance(Days(31));
  Retain();
  Archive();
  EXPECT_EQ(yard_.Find(id), nullptr) << "deleted work goes back to the archive";
  EXPECT_TRUE(yard_.state()->FindEver(id)->deleted_at);
  EXPECT_EQ(yard_.state()->LiveWorkloads(yard_.project()), 0U);
  yard_.Advance(Days(31));
  Retain();
  Archive();
  EXPECT_EQ(yard_.state()->FindEver(id), nullptr);
  EXPECT_EQ(yard_.state()->archived(), 0);
  yard_.Settle();
  EXPECT_EQ(yard_.engine().forgotten(), 1U);
}

TEST_F(ArchivedWork, StaysInMemoryForAWhileAndWhileItRuns) {
  WorkloadId runs = yard_.Submit("runs", std::string(kSpec));
  yard_.Run(runs);
  WorkloadId ended = yard_.Submit("ended", std::string(kSpec));
  yard_.Run(ended);
  yard_.End(ended);
  RunRetention(yard_.service(), {.in_memory = Minutes(10)});
  EXPECT_TRUE(yard_.Do([](Txn&) -> Status { return {}; }));
  EXPECT_NE(yard_.Find(ended), nullptr);
  yard_.Advance(Minutes(11));
  RunRetention(yard_.service(), {.in_memory = Minutes(10)});
  EXPECT_TRUE(yard_.Do([](Txn&) -> Status { return {}; }));
  EXPECT_EQ(yard_.Find(ended), nullptr);
  EXPECT_NE(yard_.Find(runs), nullptr);
}

}  // namespace
}  // namespace yard::control
