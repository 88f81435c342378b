#include <gtest/gtest.h>

#include "sched/scheduler.h"
#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

Scheduler SchedulerOf(Cluster& c) {
  auto made = Scheduler::Create(c.snapshot(), c.policy());
  EXPECT_TRUE(made.has_value());
  return std::move(*made);
}

std::string PlanOf(Scheduler& scheduler) {
  return Describe(scheduler.Decide(), scheduler.snapshot());
}

// Decides, protects the heads, and adds what waits in `later` as new arrivals.
Scheduler WithHeadsOf(Cluster& c, std::string_view later) {
  Cluster before = c;
  Scheduler first = SchedulerOf(before);
  const Plan plan = first.Decide();
  c.Pending(later);
  Scheduler scheduler = SchedulerOf(c);
  scheduler.SetHeads(plan.heads);
  return scheduler;
}

TEST(Heads, TheFirstOfEachPersonThatWaitsIsProtected) {
  Cluster c("node a gpu=4; project x quota=4; user ann; user bob; user cleo");
  c.Running("x/now gpu=4 age=1h limit=2h");
  c.Pending("x/1 gpu=4 limit=1h user=ann age=3h; x/2 gpu=4 limit=1h user=ann age=2h");
  c.Pending("x/3 gpu=2 limit=1h user=bob age=1h").Rules("heads");
  const Plan plan = c.Decide();
  ASSERT_EQ(plan.heads.size(), 2U);
  EXPECT_EQ(plan.heads[0].workload, c.Find("x/1"));
  EXPECT_EQ(plan.heads[0].start.at, c.snapshot().now + Hours(1));
  EXPECT_EQ(plan.heads[1].workload, c.Find("x/3"));
  EXPECT_EQ(plan.heads[1].start.at, c.snapshot().now + Hours(2));
}

constexpr const char* kTwoProjects =
    "node a gpu=4; project x quota=0; project y quota=0; user ann; user bob; user cleo";

TEST(Heads, NobodyWhoComesLaterPassesAHead) {
  Cluster c(kTwoProjects);
  c.Running("x/long gpu=3 age=1h limit=3h").Pending("x/big gpu=4 limit=1h user=ann").Rules("heads");
  // Project y has a smaller share in use, so its work would come first without a head.
  Scheduler scheduler =
      WithHeadsOf(c, "y/endless gpu=1 user=bob; y/short gpu=1 limit=2h user=cleo");
  EXPECT_EQ(PlanOf(scheduler), "start y/short on a") << "what is over in time does no harm";
  EXPECT_EQ(scheduler.Decide().heads[0].start.at, c.snapshot().now + Hours(2));
}

TEST(Heads, AHeadBeginsBeforeWhatWouldComeFirstInTheOrder) {
  Cluster c(kTwoProjects);
  c.Running("y/now gpu=4 age=1h limit=2h").Pending("y/big gpu=4 limit=1h user=ann").Rules("heads");
  Scheduler scheduler = WithHeadsOf(c, "x/new gpu=1 limit=1h user=bob");
  scheduler.Remove(c.Find("y/now"));
  EXPECT_EQ(PlanOf(scheduler), "start y/big on a");
}

TEST(Heads, AStartComesNearerWhenWorkEndsEarly) {
  Cluster c("node a gpu=4; project x quota=4; user ann; user bob; user cleo");
  c.Running("x/1 gpu=2 age=1h limit=3h; x/2 gpu=2 age=1h limit=9h");
  c.Pending("x/big gpu=4 limit=1h user=ann").Rules("heads");
  Scheduler scheduler = WithHeadsOf(c, "x/other gpu=4 limit=5m user=bob");
  EXPECT_EQ(scheduler.Decide().heads[0].start.at, c.snapshot().now + Hours(8));
  scheduler.Remove(c.Find("x/2"));
  EXPECT_EQ(scheduler.Decide().heads[0].start.at, c.snapshot().now + Hours(2));
}

TEST(Heads, AHeadThatBorrowsDoesNotTakeBackWhatWorkWithinItsQuotaHolds) {
  Cluster c("node a gpu=1; project x quota=1; project y quota=0; user ann; user bob");
  c.Running("x/mine gpu=1 age=1h limit=2h")
      .Pending("y/head gpu=1 limit=1h user=bob")
      .Rules("heads");
  Scheduler scheduler = WithHeadsOf(c, "x/next gpu=1 limit=1h user=ann");
  EXPECT_EQ(PlanOf(scheduler), "") << "shares follow from what runs now, not at the planned start";
}

TEST(Heads, AStartWithinTheQuotaIsPreferredToANearerOneOnBorrowedGpus) {
  Cluster c("node a gpu=8; project x quota=4; project y quota=4; user ann; user bob; user cleo");
  c.Running("x/mate gpu=2 age=1h limit=3h; y/1 gpu=4 age=1h limit=2h");
  c.Pending("x/big gpu=4 limit=1h user=ann").Rules("heads");
  Scheduler scheduler =
      WithHeadsOf(c, "x/late gpu=1 limit=5h user=bob; x/soon gpu=1 limit=30m user=cleo");
  EXPECT_EQ(PlanOf(scheduler), "start x/soon on a") << "x/late would make the head borrow";
  EXPECT_EQ(scheduler.Decide().heads[0].start.at, c.snapshot().now + Hours(2));
}

TEST(Heads, AStartFarAwayIsNotPreferred) {
  Cluster c("node a gpu=8; project x quota=4; project y quota=4; user ann; user bob; user cleo");
  c.Running("x/mate gpu=2 age=1h limit=30h; y/1 gpu=4 age=1h limit=2h");
  c.Pending("x/big gpu=4 limit=1h user=ann").Rules("heads");
  EXPECT_EQ(c.Decide().heads.at(0).start.at, c.snapshot().now + Hours(1));
}

TEST(Heads, AHeadThatWaitsForALimitIsProtectedToo) {
  Cluster c("node a gpu=16; project x quota=0 limit=8; user ann; user bob; user cleo");
  c.Running("x/now gpu=5 age=1h limit=2h").Pending("x/big gpu=8 limit=1h user=ann").Rules("heads");
  Scheduler scheduler =
      WithHeadsOf(c, "x/late gpu=1 limit=5h user=bob; x/soon gpu=1 limit=30m user=cleo");
  EXPECT_EQ(PlanOf(scheduler), "start x/soon on a") << "the limit is kept free for the head";
  EXPECT_EQ(scheduler.Decide().heads[0].start.at, c.snapshot().now + Hours(1));
}

TEST(Heads, ALimitOfADepartmentIsKeptFreeForAHeadToo) {
  Cluster c(
      "node a gpu=16; department d limit=8; project x in=d; project y in=d; user ann; user bob; "
      "user cleo");
  c.Running("x/now gpu=5 age=1h limit=2h").Pending("x/big gpu=8 limit=1h user=ann").Rules("heads");
  Scheduler scheduler = WithHeadsOf(c, "y/late gpu=1 limit=5h user=bob");
  EXPECT_EQ(PlanOf(scheduler), "");
}

TEST(Heads, WhereAHeadAndOthersAreGuaranteedTheirPlacesABorrowerGoes) {
  Cluster c(
      "node a gpu=2; node b gpu=2; project x quota=2; project y quota=1; project z quota=0; "
      "user ann; user bob");
  c.Running("x/1 gpu=1 on=a age=9h limit=10h; z/2 gpu=2 on=b age=1h limit=20h");
  c.Pending("x/big gpu=2 limit=1h user=ann").Rules("heads");
  Scheduler scheduler = WithHeadsOf(c, "y/new gpu=1 user=bob");
  EXPECT_EQ(PlanOf(scheduler), "evict z/2; start y/new on a; start x/big on b");
}

TEST(Heads, AHeadThatBorrowsGivesWayToGuaranteedQuota) {
  Cluster c("node a gpu=2; project x quota=0; project y quota=1; user ann; user bob; user cleo");
  c.Running("x/1 gpu=1 age=1h limit=3h np").Pending("x/big gpu=2 limit=1h user=ann").Rules("heads");
  Scheduler scheduler = WithHeadsOf(c, "y/new gpu=1 user=bob");
  EXPECT_EQ(PlanOf(scheduler), "start y/new on a");
}

TEST(Heads, AHeadIsPlannedAnewWhenItsNodeLeavesService) {
  Cluster c("node a gpu=2; node b gpu=2; project x quota=4; user ann; user bob; user cleo");
  c.Running("x/1 gpu=2 on=a age=1h limit=2h; x/2 gpu=2 on=b age=1h limit=4h");
  c.Pending("x/big gpu=2 limit=1h user=ann").Rules("heads");
  Scheduler scheduler = WithHeadsOf(c, "x/other gpu=2 limit=5m user=bob");
  EXPECT_EQ(scheduler.Decide().heads[0].start.at, c.snapshot().now + Hours(1));
  ASSERT_TRUE(scheduler.SetNodeState(NodeIndex(0), NodeState::kDown).has_value());
  EXPECT_EQ(scheduler.Decide().heads[0].start.at, c.snapshot().now + Hours(3));
}

TEST(Heads, WorkOfUnknownLengthIsWaitedForIfItShouldEndSoon) {
  Cluster c("node a gpu=4; project x quota=4; user ann; user bob; user cleo");
  c.Running("x/1 gpu=3 age=30m").Pending("x/big gpu=4 limit=1h user=ann; x/small gpu=1 user=bob");
  c.Rules("heads");
  EXPECT_EQ(c.Plan(), "") << "the node is drained";
  Cluster old("node a gpu=4; project x quota=4; user ann; user bob; user cleo");
  old.Running("x/1 gpu=3 age=9h").Pending("x/big gpu=4 limit=1h user=ann; x/small gpu=1 user=bob");
  old.Rules("heads");
  EXPECT_EQ(old.Plan(), "start x/small on a") << "nobody knows when it would be of use";
}

}  // namespace
}  // namespace yard::sched
