#include "control/study/log_scan.h"

#include <gtest/gtest.h>

namespace yard::control {
namespace {

StudySpec SpecOf(std::string pattern = "") {
  StudySpec spec;
  spec.objectives = {{.metric = "loss"}, {.metric = "acc"}};
  spec.pattern = std::move(pattern);
  return spec;
}

TEST(LogScan, TakesTheMetricsOfTheStudyFromJsonLines) {
  LogScanner scanner = *LogScanner::Make(SpecOf());
  LogScan scan = scanner.Scan("hello\n{\"step\":3,\"loss\":0.4,\"other\":1}\n{\"other\":2}\n",
                              LogTail::kMayGrow);
  ASSERT_EQ(scan.reports.size(), 1U);
  EXPECT_EQ(scan.reports[0].step, 3);
  EXPECT_EQ(scan.reports[0].values[0], 0.4);
  EXPECT_FALSE(scan.reports[0].values[1].has_value());
}

TEST(LogScan, ALineThatMayGrowWaits) {
  LogScanner scanner = *LogScanner::Make(SpecOf());
  LogScan scan = scanner.Scan("{\"loss\":1}\n{\"loss\":2}", LogTail::kMayGrow);
  EXPECT_EQ(scan.reports.size(), 1U);
  EXPECT_EQ(scan.consumed, 11U);
  scan = scanner.Scan("{\"loss\":2}", LogTail::kWhole);
  EXPECT_EQ(scan.reports.size(), 1U);
  EXPECT_EQ(scan.consumed, 10U);
}

TEST(LogScan, APatternReadsPlainLines) {
  LogScanner scanner = *LogScanner::Make(SpecOf("epoch {step}: loss={loss} acc={acc}"));
  LogScan scan = scanner.Scan("epoch 4: loss=0.25 acc=0.9\n{\"loss\":7}\n", LogTail::kWhole);
  ASSERT_EQ(scan.reports.size(), 1U);
  EXPECT_EQ(scan.reports[0].step, 4);
  EXPECT_EQ(scan.reports[0].values[1], 0.9);
  EXPECT_FALSE(LogScanner::Make(SpecOf("no name")).has_value());
}

}  // namespace
}  // namespace yard::control
