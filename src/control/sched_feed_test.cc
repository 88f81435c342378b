// What administrators set reaches the live scheduler.
#include <gtest/gtest.h>

#include "control/org.h"
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

}  // namespace
}  // namespace yard::control
