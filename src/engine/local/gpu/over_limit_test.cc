#include "engine/local/gpu/over_limit.h"

#include <gtest/gtest.h>

namespace yard::engine {
namespace {

TEST(OverLimit, HasAUsualAnswerAndOthersForSingleProjects) {
  const Result<GpuOverLimitRules> rules = ParseOverLimit("freeze, vision = kill,robots=warn");
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->usual, GpuOverLimit::kFreeze);
  EXPECT_EQ(rules->of_project.at("vision"), GpuOverLimit::kKill);
  EXPECT_EQ(rules->of_project.at("robots"), GpuOverLimit::kWarn);
}

TEST(OverLimit, RefusesAnAnswerThatItDoesNotKnow) {
  EXPECT_FALSE(ParseOverLimit("explode"));
  EXPECT_FALSE(ParseOverLimit("warn,vision=explode"));
}

}  // namespace
}  // namespace yard::engine
