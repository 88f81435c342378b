#include "cli/work/efficiency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

namespace yard::cli {
namespace {

using testing::ElementsAre;

json::value Usage(std::string_view text) {
  return *ParseJson(text);
}

TEST(Efficiency, SaysInWordsWhatWasUsedOfWhatWasAsked) {
  Efficiency shown = EfficiencyOf(
      Usage(R"({"asked":{"cpu":4,"memory":"8192Mi"},"used":{"cpuSeconds":200,"memoryPeak":"1024Mi",
                "gpuHoursHeld":2,"gpuHoursUsed":0.25},"suggested":{"cpu":2.2,"memory":"1229Mi"}})"),
      Seconds(100));
  EXPECT_THAT(shown.table.rows[0], ElementsAre("CPU cores", "4", "2", "50 %", "2.2"));
  EXPECT_THAT(shown.table.rows[1],
              ElementsAre("memory, peak", "8 GiB", "1 GiB", "12 %", "1229 MiB"));
  EXPECT_THAT(shown.table.rows[2], ElementsAre("GPU hours", "2", "0.25", "12 %", "-"));
  EXPECT_EQ(shown.verdict, "Its GPUs were mostly idle. It asked for far more memory than it used.");
}

TEST(Efficiency, SaysNothingOfWhatNobodyMeasured) {
  Efficiency shown = EfficiencyOf(Usage(R"({"asked":{"cpu":0,"memory":"0Mi"},"used":{}})"), {});
  EXPECT_THAT(shown.table.rows[0], ElementsAre("CPU cores", "0", "-", "-", "-"));
  EXPECT_EQ(shown.table.rows.size(), 3U);
  EXPECT_EQ(shown.verdict, "");
}

}  // namespace
}  // namespace yard::cli
