#include <gtest/gtest.h>

#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

constexpr const char* kFour =
    "node a gpu=4; project x quota=0; project y quota=0; user ann; user bob; user cleo";

TEST(FirstGpu, WaitsUnlessThePolicySaysOtherwise) {
  Cluster c(kFour);
  c.Running("x/1 gpu=1 user=ann age=4h; x/2 gpu=3 user=ann age=1h").Pending("y/b gpu=1 user=bob");
  c.Rules("nth");
  EXPECT_EQ(c.Plan(), "");
}

TEST(FirstGpu, EndsTheYoungestWorkOfWhoHoldsMost) {
  Cluster c(kFour);
  c.Running("x/1 gpu=1 user=ann age=4h; x/2 gpu=1 user=ann age=1h; x/3 gpu=2 user=cleo age=2h");
  c.Pending("y/b gpu=1 user=bob").Rules("nth firstgpu");
  EXPECT_EQ(c.Plan(), "evict x/2; start y/b on a") << "cleo's would leave her without a GPU";
}

TEST(FirstGpu, TakesNobodysFirst) {
  Cluster c(kFour);
  c.Running("x/1 gpu=4 user=ann age=4h").Pending("y/b gpu=1 user=bob").Rules("nth firstgpu");
  EXPECT_EQ(c.Plan(), "");
}

TEST(FirstGpu, IsNoRightToASecond) {
  Cluster c(kFour);
  c.Running("x/1 gpu=1 user=ann age=4h; x/2 gpu=2 user=ann age=1h; y/b gpu=1 user=bob");
  c.Pending("y/b2 gpu=1 user=bob; y/c gpu=2 user=cleo").Rules("nth firstgpu");
  EXPECT_EQ(c.Plan(), "");
}

TEST(FirstGpu, LeavesNonPreemptibleWorkAlone) {
  Cluster c(kFour);
  c.Running("x/1 gpu=1 user=ann age=4h np; x/2 gpu=3 user=ann np").Pending("y/b gpu=1 user=bob");
  c.Rules("nth firstgpu");
  EXPECT_EQ(c.Plan(), "");
}

}  // namespace
}  // namespace yard::sched
