#include "sched/place/worth.h"

#include <gtest/gtest.h>

#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

TEST(FragmentationAware, CompletesAFractionOnAUsedGpu) {
  Cluster c("pool p frag; node a gpu=2; node b gpu=2; project x quota=8");
  c.Running("x/1 gpu=0.5 on=b").Pending("x/2 gpu=0.5");
  EXPECT_EQ(c.Plan(), "start x/2 on b");
}

TEST(FragmentationAware, LeavesCpuWhereGpusNeedIt) {
  // Both nodes have the GPU; the task with little CPU goes where little CPU is left.
  Cluster c("pool p frag; node a gpu=1 cpu=16; node b gpu=1 cpu=2; project x quota=8");
  c.Pending("x/light gpu=0.5 cpu=1; x/heavy gpu=0.5 cpu=12");
  const std::string plan = c.Plan();
  EXPECT_NE(plan.find("start x/heavy on a"), std::string::npos) << plan;
  EXPECT_NE(plan.find("start x/light on b"), std::string::npos) << plan;
}

TEST(FragmentationAware, BinPacksWhereNobodyAsksForParts) {
  Cluster c("pool p frag; node a gpu=4; node b gpu=4; project x quota=8");
  c.Running("x/1 gpu=2 on=b").Pending("x/2 gpu=1");
  EXPECT_EQ(c.Plan(), "start x/2 on b");
}

}  // namespace
}  // namespace yard::sched
