#include "api/workloads/workload_series.h"

#include <gtest/gtest.h>

namespace yard::api {
namespace {

Time At(std::int64_t seconds) {
  return Time{} + Seconds(seconds);
}

// One attempt on two GPUs from 100 s to 200 s, sampled every 10 s: half a core, a quarter of the
// GPUs, 64 MiB.
SampledWorkload Sampled() {
  Workload workload;
  workload.request.cpu = MilliCpu(1500);
  Attempt attempt{.places = {{"a", {"GPU-a", "GPU-b"}, MilliGpu(1000)}},
                  .placed_at = At(100),
                  .started_at = At(110)};
  attempt.end = AttemptEnd{.message = "", .at = At(200)};
  control::UsageSeries series;
  for (std::int64_t second = 120; second <= 200; second += 10) {
    std::int64_t ran = (second - 110) * 1'000'000;
    series.Add({.at = At(second),
                .cpu = Micros(ran / 2),
                .gpu_measured = GpuTime(2000 * ran),
                .gpu_used = GpuTime(500 * ran),
                .memory = Mebibytes(64),
                .gpu_memory = std::nullopt});
  }
  return {std::make_shared<const Workload>(std::move(workload)),
          {{std::make_shared<const Attempt>(std::move(attempt)), std::move(series)}}};
}

std::string Last(std::string_view type) {
  std::vector<MetricValue> values = ValuesOf(type, Sampled(), {At(100), At(195)}, 5);
  return values.empty() ? "nothing" : values.back().value;
}

TEST(WorkloadSeries, SaysWhatWasUsedAtAMoment) {
  EXPECT_EQ(Last("CPU_USAGE_CORES"), "0.5");
  EXPECT_EQ(Last("CPU_REQUEST_CORES"), "1.5");
  EXPECT_EQ(Last("GPU_UTILIZATION"), "25");
  EXPECT_EQ(Last("CPU_MEMORY_USAGE_BYTES"), std::to_string(64 << 20));
  EXPECT_EQ(Last("GPU_ALLOCATION"), "2");
  EXPECT_EQ(Last("RUNNING_POD_COUNT"), "1");
}

TEST(WorkloadSeries, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(Last("GPU_MEMORY_USAGE_BYTES"), "nothing");
  EXPECT_EQ(Last("GPU_SM_OCCUPANCY_PER_GPU"), "nothing");
  EXPECT_TRUE(ValuesOf("CPU_USAGE_CORES", Sampled(), {At(300), At(400)}, 5).empty());
  EXPECT_TRUE(ValuesOf("CPU_USAGE_CORES", Sampled(), {At(100), At(200)}, 0).empty());
}

TEST(WorkloadSeries, SpreadsItsValuesOverThePeriod) {
  std::vector<MetricValue> values = ValuesOf("GPU_ALLOCATION", Sampled(), {At(0), At(200)}, 10);
  ASSERT_EQ(values.size(), 6U);
  EXPECT_EQ(values.front().at, At(100));
  EXPECT_EQ(values.back().at, At(200));
}

}  // namespace
}  // namespace yard::api
