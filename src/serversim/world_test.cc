#include "serversim/world.h"

#include <gtest/gtest.h>

#include "base/log.h"

namespace yard::serversim {
namespace {

// Every fault would be logged.
const bool kQuiet = (log::SwitchOff(), true);

class WholeServer : public ::testing::TestWithParam<int> {};

TEST_P(WholeServer, KeepsItsInvariantsWhateverGoesWrong) {
  for (std::uint64_t i = 0; i < 3; ++i) {
    Options options{.seed = static_cast<std::uint64_t>(GetParam()) * 3 + i, .events = 150};
    Report report = Simulate(options);
    ASSERT_EQ(report.broken, "") << "seed " << options.seed << ", event " << report.events;
    EXPECT_GT(report.submitted, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, WholeServer, ::testing::Range(0, 4));

TEST(WholeServerRuns, TheSameSeedGivesTheSameJournal) {
  Report first = Simulate({.seed = 7, .events = 150});
  Report second = Simulate({.seed = 7, .events = 150});
  EXPECT_EQ(first.digest, second.digest);
  EXPECT_EQ(first.rows, second.rows);
  EXPECT_GT(first.crashes + first.failed_commits + first.lost_messages, 0);
  EXPECT_NE(Simulate({.seed = 8, .events = 150}).digest, first.digest);
}

}  // namespace
}  // namespace yard::serversim
