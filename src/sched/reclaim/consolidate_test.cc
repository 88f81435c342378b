#include <gtest/gtest.h>

#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

constexpr const char* kTwoHalfFullNodes = "node a gpu=2; node b gpu=2; project x quota=4";

TEST(Consolidate, MovesASmallTaskSoThatALargeOneFits) {
  Cluster c(kTwoHalfFullNodes);
  c.Running("x/1 gpu=1 on=a; x/2 gpu=1 on=b").Pending("x/big gpu=2").Rules("moves=2");
  EXPECT_EQ(c.Plan(), "move x/1 from a to b; start x/big on a");
}

TEST(Consolidate, IsOffUnlessMovesAreAllowed) {
  Cluster c(kTwoHalfFullNodes);
  c.Running("x/1 gpu=1 on=a; x/2 gpu=1 on=b").Pending("x/big gpu=2");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_EQ(c.Why("x/big"), "fragmented");
}

TEST(Consolidate, NeverMovesNonPreemptibleWork) {
  Cluster c(kTwoHalfFullNodes);
  c.Running("x/1 gpu=1 on=a np; x/2 gpu=1 on=b np").Pending("x/big gpu=2").Rules("moves=2");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Consolidate, ServesOnlyPreemptibleWork) {
  Cluster c(kTwoHalfFullNodes);
  c.Running("x/1 gpu=1 on=a; x/2 gpu=1 on=b").Pending("x/big gpu=2 np").Rules("moves=2");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Consolidate, KeepsWithinTheBoundOfMoves) {
  Cluster c("node a gpu=4; node b gpu=4; project x quota=8");
  c.Running("x/1 gpu=1 on=a; x/2 gpu=1 on=a; x/3 gpu=1 on=b; x/4 gpu=1 on=b");
  c.Pending("x/big gpu=4").Rules("moves=1");
  EXPECT_EQ(c.Plan(), "");
  c.Rules("moves=2");
  EXPECT_EQ(c.Plan(), "move x/1 from a to b; move x/2 from a to b; start x/big on a");
}

TEST(Consolidate, IsOffInNoPreemptionMode) {
  Cluster c(kTwoHalfFullNodes);
  c.Running("x/1 gpu=1 on=a; x/2 gpu=1 on=b").Pending("x/big gpu=2").Rules("moves=2 nopreempt");
  EXPECT_EQ(c.Plan(), "");
}

}  // namespace
}  // namespace yard::sched
