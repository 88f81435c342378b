#include "sim/openb_bound.h"

#include <vector>

#include <gtest/gtest.h>

#include "sim/openb_synthetic.h"

namespace yard::sim {
namespace {

using sched::frag::NodeShape;
using sched::frag::TaskShape;

NodeShape Node(std::int16_t gpus, std::int64_t cpu = 64'000) {
  NodeShape node{.cpu_milli = cpu, .memory_mib = 65'536, .gpu_count = gpus};
  for (std::size_t i = 0; i < static_cast<std::size_t>(gpus); ++i) node.gpu_milli[i] = 1000;
  return node;
}

TaskShape Task(std::int16_t milli, std::int64_t cpu = 1) {
  return {.cpu_milli = cpu, .memory_mib = 1, .gpu_count = 1, .gpu_milli = milli};
}

TEST(OpenbBound, IsAllThatIsAskedForWhereEverythingFits) {
  const std::vector nodes{Node(4)};
  const std::vector tasks(4, Task(500));
  EXPECT_NEAR(static_cast<double>(MostAllocatableMilli(nodes, tasks)), 2000, 5);
}

TEST(OpenbBound, KnowsThatTwoLargePartsDoNotShareAGpu) {
  const std::vector nodes{Node(4)};
  const std::vector tasks(6, Task(600));
  EXPECT_NEAR(static_cast<double>(MostAllocatableMilli(nodes, tasks)), 2400, 60);
}

TEST(OpenbBound, KnowsThatProcessorsRunOut) {
  const std::vector nodes{Node(4, 8000)};
  const std::vector tasks(4, Task(1000, 4000));
  EXPECT_NEAR(static_cast<double>(MostAllocatableMilli(nodes, tasks)), 2000, 60);
}

TEST(OpenbBound, KnowsThatATaskDoesNotFitASmallerNode) {
  const std::vector nodes{Node(1), Node(1)};
  const std::vector<TaskShape> tasks{
      {.cpu_milli = 1, .memory_mib = 1, .gpu_count = 2, .gpu_milli = 1000}};
  EXPECT_NEAR(static_cast<double>(MostAllocatableMilli(nodes, tasks)), 0, 60);
}

TEST(OpenbBound, NoPolicyBeatsIt) {
  for (const SyntheticSpec& spec :
       {SyntheticSpec{}, SyntheticSpec{.fraction_percent = 90},
        SyntheticSpec{.constrained_percent = 40}, SyntheticSpec{.cpu_milli_per_gpu = 30'000}}) {
    const OpenbTrace trace = MakeSyntheticTrace(spec, 1);
    const double bound = LeastUnallocatedPctAt100(trace, 42);
    for (const OpenbPolicy policy :
         {OpenbPolicy::kBestFit, OpenbPolicy::kFgd, OpenbPolicy::kGpuyardMove}) {
      EXPECT_GE(RunOpenb(trace, policy, 42, SystemClock()).unallocated_gpu_pct_at_100, bound);
    }
  }
}

}  // namespace
}  // namespace yard::sim
