#include <gtest/gtest.h>

#include "sched/core/core.h"
#include "sched/explain/explain.h"
#include "sched/scheduler.h"
#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

Scheduler SchedulerFor(const Cluster& c) {
  auto scheduler = Scheduler::Create(c.snapshot(), c.policy());
  EXPECT_TRUE(scheduler.has_value());
  return std::move(*scheduler);
}

// Tells the scheduler that the plan's evictions are under way.
void Promise(Scheduler& scheduler) {
  const Plan plan = scheduler.Decide();
  for (const Start& start : plan.starts) {
    if (start.kind != StartKind::kAfterEvictions) continue;
    std::vector<WorkloadIndex> victims;
    for (const Eviction& eviction : plan.evictions) {
      if (eviction.for_whom == start.workload) victims.push_back(eviction.victim);
    }
    ASSERT_TRUE(scheduler.Promise(start.workload, start.tasks, victims).has_value());
  }
}

std::string PlanOf(Scheduler& scheduler) {
  return Describe(scheduler.Decide(), scheduler.snapshot());
}

TEST(PromisedPlace, GoesToNobodyElseWhileItIsCleared) {
  Cluster c("node a gpu=2; project x quota=2; project y quota=0");
  c.Running("y/1 gpu=1 age=2h; y/2 gpu=1 age=1h").Pending("x/new gpu=2; y/3 gpu=1");
  Scheduler scheduler = SchedulerFor(c);
  Promise(scheduler);
  EXPECT_EQ(PlanOf(scheduler), "");
  scheduler.Stop(c.Find("y/1"));
  EXPECT_EQ(PlanOf(scheduler), "") << "half of the place is free, and kept";
  scheduler.Stop(c.Find("y/2"));
  EXPECT_EQ(PlanOf(scheduler), "start x/new on a");
}

TEST(PromisedPlace, CountsForItsQueueAndNotForTheOneThatLosesIt) {
  Cluster c("node a gpu=4; project x quota=2; project y quota=2");
  c.Running("y/1 gpu=2 age=2h; y/2 gpu=2 age=1h").Pending("x/1 gpu=2; x/2 gpu=2");
  Scheduler scheduler = SchedulerFor(c);
  Promise(scheduler);
  EXPECT_EQ(PlanOf(scheduler), "") << "y gives way once, not again while it does";
}

TEST(PromisedPlace, LetsLimitsCountWhatIsStillThere) {
  Cluster c("node a gpu=2; node b gpu=1; project x quota=2; project y quota=0 limit=2");
  c.Running("y/1 gpu=1 age=2h on=a; y/2 gpu=1 age=1h on=a");
  c.Pending("x/new gpu=2; y/3 gpu=1");
  Scheduler scheduler = SchedulerFor(c);
  Promise(scheduler);
  EXPECT_EQ(PlanOf(scheduler), "") << "y holds its limit until its work has stopped";
}

TEST(PromisedPlace, LapsesWhenItsNodeLeavesService) {
  Cluster c("node a gpu=1; project x quota=1; project y quota=0");
  c.Running("y/1 gpu=1").Pending("x/new gpu=1");
  Scheduler scheduler = SchedulerFor(c);
  Promise(scheduler);
  ASSERT_TRUE(scheduler.SetNodeState(NodeIndex(0), NodeState::kCordoned).has_value());
  EXPECT_EQ(scheduler.Decide().lapsed, std::vector{c.Find("x/new")});
  scheduler.Withdraw(c.Find("x/new"));
  EXPECT_FALSE(scheduler.core().At(c.Find("y/1")).rare->leaving_for);
  EXPECT_TRUE(scheduler.Decide().lapsed.empty());
}

TEST(PromisedPlace, LapsesWhenTheQuotaOfWorkThatNobodyMayPreemptIsLowered) {
  for (const char* kind : {"np ", ""}) {
    Cluster c("node a gpu=2; project x quota=2; project y quota=0");
    c.Running("y/1 gpu=2").Pending(std::string("x/new gpu=2 ") + kind);
    Scheduler scheduler = SchedulerFor(c);
    Promise(scheduler);
    Snapshot lowered = scheduler.snapshot();
    for (Queue& queue : lowered.queues) {
      if (queue.name == "x") queue.shares[0].quota.gpu = MilliGpu(1000);
    }
    ASSERT_TRUE(scheduler.Rebuild(std::move(lowered)).has_value());
    const bool lasting = *kind != '\0';
    EXPECT_EQ(!scheduler.Decide().lapsed.empty(), lasting);
    if (lasting) scheduler.Withdraw(c.Find("x/new"));
    scheduler.Stop(c.Find("y/1"));
    EXPECT_EQ(PlanOf(scheduler).contains("start x/new"), !lasting);
  }
}

TEST(PromisedPlace, IsWhatTheWorkloadWaitsFor) {
  Cluster c("node a gpu=1; project x quota=1; project y quota=0");
  c.Running("y/1 gpu=1").Pending("x/new gpu=1");
  Scheduler scheduler = SchedulerFor(c);
  Promise(scheduler);
  const Explanation why = Explain(scheduler.core(), c.Find("x/new"));
  EXPECT_EQ(why.verdict, Verdict::kPromised);
  EXPECT_EQ(Sentence(why.dominant, scheduler.snapshot()),
            "A place in pool default is held for it; it starts when the work there has stopped.");
}

TEST(Spared, WorkGivesWayToNobody) {
  Cluster c("node a gpu=1; project x quota=1; project y quota=0");
  c.Running("y/1 gpu=1").Pending("x/new gpu=1");
  const auto row = static_cast<std::size_t>(c.Find("y/1").value);
  c.snapshot().workloads[row].rare.Edit().spared_until = c.snapshot().now + Minutes(5);
  EXPECT_EQ(c.Plan(), "");
  c.snapshot().now = c.snapshot().now + Minutes(5);
  EXPECT_EQ(c.Plan(), "evict y/1; start x/new on a");
}

}  // namespace
}  // namespace yard::sched
