#include "control/usage/series.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace yard::control {
namespace {

UsagePoint At(std::int64_t seconds) {
  return {.at = Time{seconds * 1'000'000},
          .cpu = Seconds(seconds / 2),
          .read_bytes = seconds * 10,
          .write_bytes = seconds,
          .gpu_measured = GpuTime(seconds * 1000),
          .gpu_used = GpuTime(seconds * 500),
          .memory = Mebibytes(1),
          .gpu_memory = std::nullopt};
}

Micros Gap(const UsageSeries& series, std::size_t index) {
  return series.points()[index].at - series.points()[index - 1].at;
}

TEST(UsageSeries, StaysWithinItsBoundHoweverLongWorkRuns) {
  UsageSeries series;
  for (std::int64_t second = 1; second <= 1'000'000; second += 10) {
    series.Add(At(second));
    ASSERT_LE(series.points().size(), UsageSeries::kMostPoints);
  }
  EXPECT_GT(series.points().size(), UsageSeries::kMostPoints / 2);
}

TEST(UsageSeries, IsFineWhereItIsNewAndCoarseWhereItIsOld) {
  UsageSeries series;
  for (std::int64_t second = 10; second <= 100'000; second += 10) series.Add(At(second));
  std::size_t last = series.points().size() - 1;
  EXPECT_EQ(Gap(series, last), Seconds(10));
  EXPECT_GT(Gap(series, 1), Minutes(10));
  for (std::size_t i = 1; i <= last; ++i) {
    Micros age = series.points().back().at - series.points()[i].at;
    EXPECT_LE(Gap(series, i).value, age.value / 3 + Seconds(30).value) << "point " << i;
  }
}

TEST(UsageSeries, LosesNoSumAndNoPeakWhenItThins) {
  UsageSeries series;
  for (std::int64_t second = 1; second <= 50'000; ++second) {
    UsagePoint point = At(second);
    if (second == 777) point.memory = Mebibytes(4096);
    if (second == 778) point.gpu_memory = Mebibytes(512);
    series.Add(point);
  }
  Mebibytes highest;
  std::optional<Mebibytes> gpu;
  for (const UsagePoint& point : series.points()) {
    highest = std::max(highest, point.memory);
    gpu = std::max(gpu, point.gpu_memory);
  }
  EXPECT_EQ(highest, Mebibytes(4096));
  EXPECT_EQ(gpu, Mebibytes(512));
  EXPECT_EQ(series.points().back().gpu_used, GpuTime(50'000 * 500));
}

TEST(UsageSeries, NeitherTimeNorCountersGoBack) {
  UsageSeries series;
  series.Add(At(100));
  series.Add(At(90));
  EXPECT_EQ(series.points().size(), 1U);
  UsagePoint restarted = At(110);
  restarted.cpu = Micros(0);
  series.Add(restarted);
  EXPECT_EQ(series.points().back().cpu, Seconds(50));
}

TEST(UsageSeries, ReadsBackWhatItWroteAndSurvivesATornEnd) {
  UsageSeries series;
  for (std::int64_t second = 1; second <= 300; ++second) {
    UsagePoint point = At(second);
    if (second % 3 == 0) point.gpu_memory = Mebibytes(second);
    series.Add(point);
  }
  std::string text = Encode(series);
  EXPECT_EQ(Encode(DecodeUsage(text)), text);
  UsageSeries torn = DecodeUsage(std::string_view(text).substr(0, text.size() - 5));
  EXPECT_EQ(torn.points().size(), series.points().size() - 1);
  EXPECT_TRUE(DecodeUsage("no numbers\n1 2 3\n").empty());
}

TEST(UsageSeries, ARateIsWhatACounterGrewPerSecond) {
  EXPECT_EQ(MilliRate(Seconds(10), Seconds(25), Seconds(10)), 1500);
  EXPECT_EQ(MilliRate(Seconds(10), Seconds(25), Micros(0)), 0);
}

}  // namespace
}  // namespace yard::control
