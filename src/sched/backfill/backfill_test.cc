#include <gtest/gtest.h>

#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

constexpr const char* kBusyNode = "node a gpu=4; project x quota=4";

TEST(Backfill, LetsAShortWorkloadRunBeforeThePlannedStartOfABigOne) {
  Cluster c(kBusyNode);
  c.Running("x/long gpu=2 age=1h limit=3h").Pending("x/big gpu=4 limit=1h age=2h");
  c.Pending("x/short gpu=2 limit=2h age=1h").Rules("backfill");
  EXPECT_EQ(c.Plan(), "start x/short on a");
}

TEST(Backfill, HoldsBackWhatWouldDelayThePlannedStart) {
  Cluster c(kBusyNode);
  c.Running("x/long gpu=2 age=1h limit=3h").Pending("x/big gpu=4 limit=1h age=2h");
  c.Pending("x/late gpu=2 limit=3h age=1h; x/endless gpu=1").Rules("backfill");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_EQ(c.Why("x/late"), "backfill");
  EXPECT_EQ(c.Why("x/endless"), "backfill");
  ASSERT_GE(c.Decide().planned.size(), 1U);
  EXPECT_EQ(c.Decide().planned[0].workload, c.Find("x/big"));
  EXPECT_EQ(c.Decide().planned[0].at, c.snapshot().now + Hours(2));
}

TEST(Backfill, WithoutItSmallWorkloadsPassBigOnes) {
  Cluster c(kBusyNode);
  c.Running("x/long gpu=2 age=1h limit=3h").Pending("x/big gpu=4 limit=1h age=2h");
  c.Pending("x/late gpu=2 limit=3h age=1h");
  EXPECT_EQ(c.Plan(), "start x/late on a");
}

TEST(Backfill, PlansSeveralStartsOneAfterTheOther) {
  Cluster c(kBusyNode);
  c.Running("x/now gpu=4 age=1h limit=2h").Pending("x/1 gpu=4 limit=1h age=2h; x/2 gpu=4 limit=1h");
  c.Rules("backfill");
  const auto planned = c.Decide().planned;
  ASSERT_EQ(planned.size(), 2U);
  EXPECT_EQ(planned[0].at, c.snapshot().now + Hours(1));
}

TEST(Backfill, PlansWithLearnedRunTimesWhereThereIsNoLimit) {
  Cluster c(kBusyNode);
  c.Running("x/now gpu=4 age=1h runtime=2h").Pending("x/1 gpu=4").Rules("backfill");
  ASSERT_EQ(c.Decide().planned.size(), 1U);
  EXPECT_EQ(c.Decide().planned[0].at, c.snapshot().now + Hours(1));
}

TEST(Reservation, KeepsGpusFreeForTheDeadline) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=2 from=2h to=9h");
  c.Pending("x/long gpu=4 limit=5h");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_EQ(c.Why("x/long"), "reserved");
}

TEST(Reservation, LetsInWhatEndsBeforeAndWhatLeavesEnough) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=2 from=2h to=9h");
  c.Pending("x/two gpu=2 age=2h; x/short gpu=2 limit=1h age=1h");
  EXPECT_EQ(c.Plan(), "start x/two on a; start x/short on a");
}

TEST(Reservation, IsForItsOwner) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=4 from=0h to=9h");
  c.Pending("x/1 gpu=4; pi/paper gpu=4");
  EXPECT_EQ(c.Plan(), "start pi/paper on a");
}

TEST(Reservation, IsReleasedIfUnused) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=4 from=-2h to=9h release=1h");
  c.Pending("x/1 gpu=4");
  EXPECT_EQ(c.Plan(), "start x/1 on a");
}

}  // namespace
}  // namespace yard::sched
