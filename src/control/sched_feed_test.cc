// What administrators set reaches the live scheduler.
#include <gtest/gtest.h>

#include "control/org.h"
#include "control/scheduler_settings.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

constexpr const char* kAll =
    R"({"command":"x","compute":{"gpuDevicesRequest":4},"preemptibility":"preemptible"})";

NodePoolId AnyPool(const State& state) {
  NodePoolId id;
  state.Of<NodePool>().Each([&](const NodePool& pool) { id = pool.id; });
  return id;
}

class SchedFeed : public ::testing::Test {
 protected:
  SchedFeed() {
    EXPECT_TRUE(yard_.Do([&](Txn& txn) -> Status {
      OrgUnitDraft draft{.name = "other",
                         .cluster = txn.state().Find<Project>(yard_.project())->cluster};
      YARD_ASSIGN(Ptr<Project> made, CreateProject(txn, draft));
      other_ = made->id;
      return {};
    }));
  }

  Status SetQuota(ProjectId project, std::int64_t gpus, std::string priority) {
    return yard_.Do([&](Txn& txn) {
      PoolQuota quota{.pool = AnyPool(txn.state()), .priority = std::move(priority)};
      quota.gpu.deserved = MilliGpu(gpus * 1000);
      return Outcome(SetProjectQuota(txn, project, {quota}, QuotaEdit::kReplace));
    });
  }

  WorkloadId SubmitTo(ProjectId project, std::string name, const std::string& spec = kAll) {
    Workload draft = yard_.Draft(std::move(name), spec, WorkloadType::kTraining);
    draft.project = project;
    WorkloadId id;
    EXPECT_TRUE(yard_.TrySubmit(std::move(draft), &id));
    return id;
  }

  void Set(const std::string& key, const std::string& value) {
    ASSERT_TRUE(yard_.Do([&](Txn& txn) -> Status {
      Setting setting{.id = key, .stamp = txn.NewStamp()};
      setting.value.json = R"({"value":")" + value + R"("})";
      txn.Put(std::move(setting));
      return {};
    }));
  }

  bool IsStopped(WorkloadId id) const { return yard_.AttemptOf(id)->stop.has_value(); }

  YardFixture yard_;
  ProjectId other_;
};

TEST_F(SchedFeed, AHigherPriorityOfTheQuotaGetsFirstWhatNobodyHasAQuotaFor) {
  ASSERT_TRUE(SetQuota(yard_.project(), 0, "Normal"));
  ASSERT_TRUE(SetQuota(other_, 0, "Normal"));
  WorkloadId runs = SubmitTo(yard_.project(), "runs");
  yard_.Run(runs);
  SubmitTo(other_, "waits");
  EXPECT_FALSE(IsStopped(runs)) << "half of the GPUs are its fair share, it wants all";
  ASSERT_TRUE(SetQuota(other_, 0, "High"));
  ASSERT_TRUE(IsStopped(runs));
  EXPECT_EQ(yard_.AttemptOf(runs)->stop->rule, "reclaim");
}

TEST_F(SchedFeed, APriorityThatNobodyKnowsIsRefused) {
  Status refused = SetQuota(other_, 0, "urgent");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kInvalid);
  EXPECT_TRUE(refused.error().details.contains("VeryHigh")) << refused.error().details;
}

TEST_F(SchedFeed, RunningWorkIsNotReclaimedBeforeTheGuardOfTheCluster) {
  Set("scheduler.reclaim-min-runtime", "10m");
  ASSERT_TRUE(SetQuota(yard_.project(), 0, "Normal"));
  ASSERT_TRUE(SetQuota(other_, 4, "Normal"));
  WorkloadId runs = SubmitTo(yard_.project(), "runs");
  yard_.Advance(Minutes(5));  // starting takes a while and does not count
  yard_.Run(runs);
  SubmitTo(other_, "waits");
  yard_.Advance(Minutes(9));
  EXPECT_FALSE(IsStopped(runs));
  yard_.Advance(Minutes(1));
  EXPECT_TRUE(IsStopped(runs)) << "nothing else happened: the end of the guard alone decides";
}

TEST_F(SchedFeed, AGuardOfTheProjectGoesBeforeThatOfTheCluster) {
  Set("scheduler.preempt-min-runtime", "1h");
  ASSERT_TRUE(yard_.Do([&](Txn& txn) {
    OrgUnitDraft draft{.preempt_min_runtime = std::optional<std::int64_t>(60)};
    return Outcome(UpdateProject(txn, yard_.project(), draft));
  }));
  WorkloadId runs = SubmitTo(yard_.project(), "runs");
  yard_.Run(runs);
  SubmitTo(yard_.project(), "higher",
           R"({"command":"x","compute":{"gpuDevicesRequest":4},"priorityClass":"medium-high"})");
  EXPECT_FALSE(IsStopped(runs));
  yard_.Advance(Seconds(60));
  EXPECT_TRUE(IsStopped(runs));
}

TEST_F(SchedFeed, AGuardHoldsAlsoForWorkFoundAgainAfterARestart) {
  Set("scheduler.reclaim-min-runtime", "10m");
  ASSERT_TRUE(SetQuota(yard_.project(), 0, "Normal"));
  ASSERT_TRUE(SetQuota(other_, 4, "Normal"));
  WorkloadId runs = SubmitTo(yard_.project(), "runs");
  yard_.Run(runs);
  yard_.Advance(Minutes(9));
  yard_.Restart();
  SubmitTo(other_, "waits");
  EXPECT_FALSE(IsStopped(runs));
  yard_.Advance(Minutes(1));
  EXPECT_TRUE(IsStopped(runs));
}

}  // namespace
}  // namespace yard::control
