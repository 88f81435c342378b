#include <gtest/gtest.h>

#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

TEST(People, OfOneProjectTakeTurns) {
  Cluster c("node a gpu=4; project x quota=4; user ann; user bob; user cleo");
  c.Pending("x/a1 gpu=1 user=ann age=9h; x/a2 gpu=1 user=ann age=8h; x/a3 gpu=1 user=ann age=7h");
  c.Pending("x/a4 gpu=1 user=ann age=6h; x/b1 gpu=1 user=bob age=2h; x/b2 gpu=1 user=bob age=1h");
  EXPECT_EQ(c.Plan(), "start x/a1 on a; start x/a2 on a; start x/a3 on a; start x/a4 on a");
  c.Rules("people");
  EXPECT_EQ(c.Plan(), "start x/a1 on a; start x/b1 on a; start x/a2 on a; start x/b2 on a");
}

TEST(People, WhoHoldsLessComesFirst) {
  Cluster c("node a gpu=4; project x quota=4; user ann; user bob; user cleo");
  c.Running("x/a gpu=3 user=ann").Pending("x/more gpu=1 user=ann age=9h; x/b gpu=1 user=bob");
  c.Rules("people");
  EXPECT_EQ(c.Plan(), "start x/b on a");
}

TEST(People, WhoHasUsedMoreWaitsLonger) {
  Cluster c("node a gpu=3; project x quota=3; user ann; user bob; user cleo");
  c.Pending("x/a1 gpu=1 user=ann age=9h; x/a2 gpu=1 user=ann age=9h; x/b1 gpu=1 user=bob age=2h");
  c.Pending("x/b2 gpu=1 user=bob age=1h").Rules("people");
  const auto ann = c.snapshot().workloads[0].user;
  c.snapshot().past_use = {{c.snapshot().workloads[0].queue, ann, 200'000}};
  EXPECT_EQ(c.Plan(), "start x/b1 on a; start x/a1 on a; start x/b2 on a");
}

TEST(People, AHigherPriorityComesBeforeAnybodysTurn) {
  Cluster c("node a gpu=1; project x quota=1; user ann; user bob; user cleo");
  c.Pending("x/a gpu=1 user=ann prio=75; x/b gpu=1 user=bob age=9h").Rules("people");
  c.snapshot().past_use = {
      {c.snapshot().workloads[0].queue, c.snapshot().workloads[0].user, 500'000}};
  EXPECT_EQ(c.Plan(), "start x/a on a");
}

TEST(People, AreNoMatterBetweenProjects) {
  Cluster c("node a gpu=2; project x quota=1; project y quota=1; user ann; user bob; user cleo");
  c.Pending("x/1 gpu=1 user=ann; x/2 gpu=1 user=ann; y/1 gpu=1 user=bob; y/2 gpu=1 user=cleo");
  c.Rules("people");
  EXPECT_EQ(c.Plan(), "start x/1 on a; start y/1 on a");
}

}  // namespace
}  // namespace yard::sched
