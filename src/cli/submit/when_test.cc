#include "cli/submit/when.h"

#include <gtest/gtest.h>

namespace yard::cli {
namespace {

Time At(std::string_view text) {
  return *ParseRfc3339(text);
}

std::string Read(std::string_view text, std::string_view now = "2026-11-15T08:30:00Z") {
  Result<Time> time = ParseWhen(text, At(now));
  return time ? FormatRfc3339(*time) : time.error().message;
}

TEST(When, ExactTimesAndDelaysAreTakenAsTheyAre) {
  EXPECT_EQ(Read("2026-11-15T18:00:00Z"), "2026-11-15T18:00:00Z");
  EXPECT_EQ(Read("now"), "2026-11-15T08:30:00Z");
  EXPECT_EQ(Read("now+90m"), "2026-11-15T10:00:00Z");
  EXPECT_EQ(Read("now+2hours"), "2026-11-15T10:30:00Z");
  EXPECT_EQ(Read("now+1day"), "2026-11-16T08:30:00Z");
  EXPECT_EQ(Read("now+60"), "2026-11-15T08:31:00Z");
}

TEST(When, AClockTimeIsTheNextOneOfThisMachine) {
  Time now = At("2026-11-15T08:30:00Z");
  for (const char* text : {"00:00", "07:00", "12:34:56", "23:59", "noon", "midnight", "teatime"}) {
    Result<Time> time = ParseWhen(text, now);
    ASSERT_TRUE(time) << text;
    EXPECT_GT(*time, now) << text;
    EXPECT_LE(*time, now + Hours(25)) << text;
  }
}

TEST(When, ADateAloneIsItsMidnight) {
  EXPECT_EQ(*ParseWhen("2026-11-20T06:00", At("2026-11-15T08:30:00Z")) -
                *ParseWhen("2026-11-20", At("2026-11-15T08:30:00Z")),
            Hours(6));
}

TEST(When, AnythingElseIsRefused) {
  for (const char* text :
       {"", "soon", "25:00", "now+", "now+x", "2026-13-01", "2026-11-15T", "1:2:3:4"})
    EXPECT_EQ(Read(text), std::string("'") + text + "' is not a time");
}

}  // namespace
}  // namespace yard::cli
