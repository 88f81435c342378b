#include <gtest/gtest.h>

#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

TEST(Reclaim, EvictsYoungestBorrowerFirst) {
  Cluster c("node a gpu=4; project x quota=2; project y quota=2");
  c.Running("y/old gpu=2 age=9h; y/young gpu=2 age=1h").Pending("x/new gpu=2");
  EXPECT_EQ(c.Plan(), "evict y/young; start x/new on a");
}

TEST(Reclaim, NeverTakesWithinTheQuotaOfOthers) {
  Cluster c("node a gpu=4; project x quota=2; project y quota=4");
  c.Running("y/old gpu=2 age=9h; y/young gpu=2 age=1h").Pending("x/new gpu=2");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Reclaim, NeverTakesFromNonPreemptibleWork) {
  Cluster c("node a gpu=2; project x quota=2; project y quota=0");
  c.Running("y/fixed gpu=2 np").Pending("x/new gpu=2");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Reclaim, LooksAtFairnessNotAtPriority) {
  Cluster c("node a gpu=2; project x quota=2; project y quota=0");
  c.Running("y/workspace gpu=2 prio=75").Pending("x/train gpu=2 prio=50");
  EXPECT_EQ(c.Plan(), "evict y/workspace; start x/train on a");
}

TEST(Reclaim, LetsAQueueUnderItsFairShareTakeFromOneOverIt) {
  Cluster c("node a gpu=4; project x; project y");
  c.Running("y/1 gpu=1 age=4h; y/2 gpu=1 age=3h; y/3 gpu=1 age=2h; y/4 gpu=1 age=1h");
  c.Pending("x/1 gpu=1; x/2 gpu=1; x/3 gpu=1");
  EXPECT_EQ(c.Plan(), "evict y/4; evict y/3; start x/1 on a; start x/2 on a");
}

TEST(Reclaim, ComparesDepartmentsWhereThePathsPart) {
  Cluster c(
      "node a gpu=4; department d quota=2; department e quota=2; project d1 in=d quota=0; "
      "project e1 in=e quota=2");
  c.Running("d1/1 gpu=2 age=3h; d1/2 gpu=2 age=2h").Pending("e1/new gpu=2");
  EXPECT_EQ(c.Plan(), "evict d1/2; start e1/new on a");
}

TEST(Reclaim, GivesQuotaBackFromADepartmentWithoutAQuota) {
  Cluster c(
      "node a gpu=4; department any quota=none; department lab quota=4; "
      "project teaching in=any quota=0; project vision in=lab quota=1");
  c.Running("teaching/1 gpu=2 age=2h; teaching/2 gpu=1 age=1h; teaching/3 gpu=1 age=30m");
  c.Pending("vision/new gpu=1; teaching/4 gpu=1");
  EXPECT_EQ(c.Plan(), "evict teaching/3; start vision/new on a");
}

TEST(Reclaim, KeepsTheQuotasInADepartmentWithoutOne) {
  Cluster c(
      "node a gpu=2; department any quota=none weight=1; department lab quota=0 weight=9; "
      "project own in=any quota=1; project guest in=lab quota=0");
  c.Running("guest/1 gpu=1 age=2h; guest/2 gpu=1 age=1h").Pending("own/new gpu=1; guest/3 gpu=1");
  EXPECT_EQ(c.Plan(), "evict guest/2; start own/new on a");
}

TEST(Reclaim, LetsDepartmentsWithoutQuotasShareByWeight) {
  Cluster c(
      "node a gpu=4; department d quota=none; department e quota=none; "
      "project d1 in=d quota=none; project e1 in=e quota=none");
  c.Running("d1/1 gpu=1 age=4h; d1/2 gpu=1 age=3h; d1/3 gpu=1 age=2h; d1/4 gpu=1 age=1h");
  c.Pending("e1/1 gpu=1; e1/2 gpu=1; e1/3 gpu=1");
  EXPECT_EQ(c.Plan(), "evict d1/4; evict d1/3; start e1/1 on a; start e1/2 on a");
}

TEST(Reclaim, WaitsForTheMinRuntimeOfTheVictimsQueue) {
  Cluster c("node a gpu=2; project x quota=2; project y quota=0 reclaimafter=2h");
  c.Running("y/young gpu=2 age=1h").Pending("x/new gpu=2");
  EXPECT_EQ(c.Plan(), "");
  c.snapshot().now = c.snapshot().now + Hours(1);
  EXPECT_EQ(c.Plan(), "evict y/young; start x/new on a");
}

TEST(Reclaim, TakesNothingUnderAnOrderThatKnowsNoShares) {
  for (const char* order : {"fifo", "nth"}) {
    Cluster c("node a gpu=2; project x quota=2; project y quota=0; user u; user v");
    c.Running("y/old gpu=2 user=u").Pending("x/new gpu=2 user=v prio=90").Rules(order);
    EXPECT_EQ(c.Plan(), "") << order;
  }
}

TEST(Reclaim, TakesFromADepartmentThatServesFirstComeFirst) {
  Cluster c(
      "node a gpu=2; department d quota=2; department e quota=0 fifo; project d1 in=d quota=2; "
      "project e1 in=e");
  c.Running("e1/old gpu=2").Pending("d1/new gpu=2");
  EXPECT_EQ(c.Plan(), "evict e1/old; start d1/new on a");
}

TEST(Preempt, LeavesFirstComeFirstServedAlone) {
  Cluster c("node a gpu=2; project x quota=2");
  c.Running("x/old gpu=2 prio=10").Pending("x/new gpu=2 prio=90").Rules("fifo");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Reclaim, EvictsNoMoreThanNeeded) {
  Cluster c("node a gpu=4; project x quota=2; project y quota=0");
  c.Running("y/1 gpu=1 age=4h; y/2 gpu=1 age=3h; y/3 gpu=1 age=2h; y/4 gpu=1 age=1h");
  c.Pending("x/new gpu=2");
  EXPECT_EQ(c.Plan(), "evict y/4; evict y/3; start x/new on a");
}

TEST(Reclaim, GathersVictimsOfOneNodeForATaskThatNeedsOneNode) {
  Cluster c("node a gpu=2; node b gpu=2; project x quota=2; project y quota=0");
  c.Running(
      "y/a1 gpu=1 on=a age=1h; y/b1 gpu=1 on=b age=2h; y/b2 gpu=1 on=b age=3h;"
      "y/a2 gpu=1 on=a age=4h");
  c.Pending("x/new gpu=2");
  EXPECT_EQ(c.Plan(), "evict y/b1; evict y/b2; start x/new on b");
}

TEST(Reclaim, TakesSurplusTasksOfElasticWorkBeforeWholeWorkloads) {
  Cluster c("node a gpu=4; project x quota=1; project y quota=0");
  c.Running("y/elastic gpu=1 count=1 max=3 tasks=3; y/plain gpu=1").Pending("x/new gpu=1");
  EXPECT_EQ(c.Plan(), "shrink y/elastic by 1; start x/new on a");
}

TEST(Reclaim, IsOffInNoPreemptionMode) {
  Cluster c("node a gpu=2; project x quota=2; project y quota=0");
  c.Running("y/1 gpu=2").Pending("x/new gpu=2 prio=90; x/2 gpu=1").Rules("nopreempt");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Reclaim, DoesNotSwingBack) {
  // Three GPUs for two equal queues: the odd one belongs to the older queue, and stays there.
  Cluster c("node a gpu=3; project x age=1d; project y age=2d");
  c.Running("y/1 gpu=1 age=2h; y/2 gpu=1 age=1h; x/1 gpu=1").Pending("x/2 gpu=1; y/3 gpu=1");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Preempt, EvictsStrictlyLowerPriorityOfTheSameProject) {
  Cluster c("node a gpu=2; project x quota=2");
  c.Running("x/low gpu=1 prio=40; x/same gpu=1 prio=50").Pending("x/new gpu=1 prio=50");
  EXPECT_EQ(c.Plan(), "evict x/low; start x/new on a");
}

TEST(Preempt, NeverCrossesProjects) {
  Cluster c("node a gpu=2; project x quota=1; project y quota=1");
  c.Running("x/1 gpu=1 prio=10; y/1 gpu=1 prio=10").Pending("x/new gpu=1 prio=90");
  EXPECT_EQ(c.Plan(), "evict x/1; start x/new on a");
}

TEST(Preempt, WaitsForTheMinRuntime) {
  Cluster c("node a gpu=1; project x quota=1 preemptafter=2h");
  c.Running("x/low gpu=1 prio=10 age=1h").Pending("x/new gpu=1 prio=90");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Preempt, FreesTheLimitOfTheProjectToo) {
  Cluster c("node a gpu=4; project x quota=1 limit=1");
  c.Running("x/low gpu=1 prio=10").Pending("x/new gpu=1 prio=90");
  EXPECT_EQ(c.Plan(), "evict x/low; start x/new on a");
}

}  // namespace
}  // namespace yard::sched
