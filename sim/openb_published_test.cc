// The published openb traces: the baselines give the published figures, Gpuyard better ones.
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "sim/openb.h"

namespace yard::sim {
namespace {

constexpr int kSeeds = 10;
constexpr std::uint64_t kFirstSeed = 42;

std::string Read(const std::string& name) {
  std::ifstream file(std::string(YARD_OPENB_DIR) + "/" + name);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Case {
  std::string trace;
  double random;  // published, percent unallocated at 100 % load
  double bestfit;
  double fgd;
  double gpuyard;  // to stay below
};

class Published : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto trace = ParseOpenbTrace(Read("openb_node_list_gpu_node.csv"),
                                       Read("openb_pod_list_" + GetParam().trace + ".csv"));
    ASSERT_TRUE(trace.has_value());
    trace_ = *trace;
  }
  double Mean(OpenbPolicy policy) {
    double sum = 0;
    for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
      const OpenbResult result = RunOpenb(trace_, policy, seed, SystemClock());
      EXPECT_LE(result.moves * 20, result.arrivals);
      sum += result.unallocated_gpu_pct_at_100;
    }
    return sum / kSeeds;
  }
  OpenbTrace trace_;
};

TEST_P(Published, BaselinesAreReproducedWithinThreeTenthsOfAPoint) {
  EXPECT_NEAR(Mean(OpenbPolicy::kRandom), GetParam().random, 0.3);
  EXPECT_NEAR(Mean(OpenbPolicy::kBestFit), GetParam().bestfit, 0.3);
  EXPECT_NEAR(Mean(OpenbPolicy::kFgd), GetParam().fgd, 0.3);
}

TEST_P(Published, GpuyardLeavesLess) {
  const double online = Mean(OpenbPolicy::kGpuyard);
  EXPECT_LE(online, GetParam().gpuyard);
  EXPECT_LE(Mean(OpenbPolicy::kGpuyardMove), online + 0.02);
}

INSTANTIATE_TEST_SUITE_P(Traces, Published,
                         ::testing::Values(Case{"default", 13.70, 7.14, 4.77, 4.4},
                                           Case{"gpushare100", 21.10, 15.38, 13.36, 12.9},
                                           Case{"gpuspec33", 16.13, 19.61, 12.16, 11.5}),
                         [](const auto& traces) { return traces.param.trace; });

}  // namespace
}  // namespace yard::sim
