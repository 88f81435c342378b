#include "sched/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

using testing::HasSubstr;

TEST(Schedule, StartsWhatFits) {
  Cluster c("node a gpu=4; project x quota=2");
  c.Pending("x/one gpu=1; x/two gpu=2; x/four gpu=4");
  EXPECT_EQ(c.Plan(), "start x/one on a; start x/two on a");
  EXPECT_EQ(c.Why("x/four"), "behind");
}

TEST(Schedule, ServesHigherPriorityThenOlderInsideAProject) {
  Cluster c("node a gpu=2; project x quota=2");
  c.Pending("x/young gpu=1 age=1h; x/old gpu=1 age=2h; x/high gpu=1 prio=90");
  EXPECT_EQ(c.Plan(), "start x/high on a; start x/old on a");
}

TEST(Schedule, StartsAGangWholeOrNotAtAll) {
  Cluster c("node a gpu=2; node b gpu=2; project x quota=8");
  c.Pending("x/gang gpu=2 count=3");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_EQ(c.Why("x/gang"), "gpus");
  c.Pending("x/pair gpu=2 count=2");
  EXPECT_EQ(c.Plan(), "start x/pair on a, b");
}

TEST(Schedule, PlacesSeveralTaskShapesOfOneGangTogether) {
  Cluster c("node a gpu=2; node b cpu=8; project x quota=8");
  c.Pending("x/gang gpu=1 count=2 + cpu=4 count=1");
  EXPECT_EQ(c.Plan(), "start x/gang on a x2, b");
}

TEST(Schedule, RefusesACycleInTheQueuesNamingRowAndField) {
  Cluster c("node a gpu=1; project x quota=1");
  c.snapshot().queues[0].parent = QueueIndex(0);
  const auto plan = Schedule(c.snapshot(), {});
  ASSERT_FALSE(plan.has_value());
  EXPECT_THAT(plan.error().message, HasSubstr("queues[0] (x): field parent"));
}

}  // namespace
}  // namespace yard::sched
