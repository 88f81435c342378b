// What administrators set reaches the live scheduler.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/commands/org.h"
#include "control/commands/scheduler_settings.h"
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

// Four nodes with a GPU each, two in a rack.
class Racks : public ::testing::Test {
 protected:
  Racks() {
    EXPECT_TRUE(yard_.Do([&](Txn& txn) -> Status {
      std::vector<Node> nodes;
      txn.state().Of<Node>().Each([&](const Node& node) { nodes.push_back(node); });
      for (Node& node : nodes) {
        node.labels["rack"] = node.name == "node0" || node.name == "node1" ? "a" : "b";
        txn.Put(std::move(node));
      }
      return {};
    }));
  }

  // So many tasks with a GPU each.
  WorkloadId Submit(std::string name, int tasks, std::string_view type, std::string_view key) {
    return yard_.Submit(
        std::move(name),
        fmt::format(R"({{"command":"x","parallelism":{},"compute":{{"gpuDevicesRequest":1}},)"
                    R"("podAffinity":{{"type":"{}","key":"{}"}}}})",
                    tasks, type, key));
  }

  YardFixture yard_{{.nodes = 4, .gpus = 1}};
};

TEST_F(Racks, TasksThatMustBeNearShareTheValueOfTheLabel) {
  WorkloadId first = yard_.Submit("first", R"({"command":"x","compute":{"gpuDevicesRequest":1}})");
  WorkloadId near = Submit("near", 2, "Required", "rack");
  ASSERT_TRUE(yard_.AttemptOf(near) != nullptr);
  const std::string taken = yard_.AttemptOf(first)->places[0].node;
  std::set<std::string> got;
  for (const TaskPlace& place : yard_.AttemptOf(near)->places) got.insert(place.node);
  const bool first_in_a = taken == "node0" || taken == "node1";
  EXPECT_EQ(got, first_in_a ? std::set<std::string>({"node2", "node3"})
                            : std::set<std::string>({"node0", "node1"}));
}

TEST_F(Racks, WorkThatFitsNoRackWaitsAndSaysSo) {
  WorkloadId wide = Submit("wide", 3, "Required", "rack");
  EXPECT_TRUE(yard_.AttemptOf(wide) == nullptr);
  Result<Why> why = yard_.driver().Explain(wide);
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->reason, "Topology") << why->message;
  EXPECT_TRUE(std::ranges::any_of(why->alternatives,
                                  [](const Alternative& one) { return one.kind == "noTopology"; }));
}

TEST_F(Racks, APreferenceIsFollowedWherePossible) {
  EXPECT_TRUE(yard_.AttemptOf(Submit("wide", 3, "Preferred", "rack")) != nullptr);
}

TEST_F(Racks, ALabelThatNoNodeHasKeepsOutOnlyWhatRequiresIt) {
  EXPECT_TRUE(yard_.AttemptOf(Submit("prefers", 1, "Preferred", "room")) != nullptr);
  WorkloadId requires_it = Submit("requires", 1, "Required", "room");
  EXPECT_TRUE(yard_.AttemptOf(requires_it) == nullptr);
  EXPECT_EQ(yard_.driver().Explain(requires_it)->reason, "Labels");
}

}  // namespace
}  // namespace yard::control
