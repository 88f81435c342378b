#include "control/sched/advisor.h"

#include <gtest/gtest.h>

#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

std::string Gpus(int count, int seconds = 0) {
  std::string limit = seconds > 0 ? R"("timeLimitSeconds":)" + std::to_string(seconds) + "," : "";
  return R"({"command":"x",)" + limit + R"("compute":{"gpuDevicesRequest":)" +
         std::to_string(count) + "}}";
}

TEST(Advisor, SaysWhyWorkWaitsWhatWouldHelpAndWhenItStarts) {
  YardFixture yard;
  WorkloadId runs = yard.Submit("runs", Gpus(3, 600));
  yard.Run(runs);
  WorkloadId waits = yard.Submit("waits", Gpus(2));
  Result<Why> why = yard.driver().Explain(waits);
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->reason, "Gpus");
  EXPECT_EQ(why->position, 1);
  ASSERT_FALSE(why->alternatives.empty());
  EXPECT_EQ(why->alternatives[0].change, "with 1 GPU per task");
  ASSERT_EQ(why->nodes.size(), 1U);
  EXPECT_EQ(why->nodes[0].node, "node0");
  ASSERT_TRUE(why->latest.has_value());
  EXPECT_EQ(*why->latest, yard.AttemptOf(runs)->placed_at + Seconds(600));
}

TEST(Advisor, ADryRunSaysWhetherWorkWouldStartAndChangesNothing) {
  YardFixture yard;
  Workload small = yard.Draft("small", Gpus(2), WorkloadType::kTraining);
  Result<Why> starts = yard.driver().DryRun(small, DryRunDepth::kWhole);
  EXPECT_EQ(starts->reason, "StartsNow");
  EXPECT_EQ(starts->starts_on, std::vector<std::string>{"node0"});
  Workload large = yard.Draft("large", Gpus(5), WorkloadType::kTraining);
  EXPECT_EQ(yard.driver().DryRun(large, DryRunDepth::kWhole)->reason, "NodeTooSmall");
  EXPECT_EQ(yard.state()->Of<Workload>().size(), 0U);
}

TEST(Advisor, WhatCanNeverRunIsToldApartWithTheSmallestChange) {
  YardFixture yard;
  yard.Run(yard.Submit("runs", Gpus(4)));
  Workload large = yard.Draft("large", Gpus(9), WorkloadType::kTraining);
  for (DryRunDepth depth : {DryRunDepth::kWhole, DryRunDepth::kPossibility}) {
    Result<Why> why = yard.driver().DryRun(large, depth);
    ASSERT_TRUE(why.has_value());
    EXPECT_TRUE(why->never);
    EXPECT_EQ(why->message,
              "No node of pool default is large enough: it asks for 9 GPU, the largest has 4 GPU.");
    ASSERT_FALSE(why->alternatives.empty());
    EXPECT_EQ(why->alternatives[0].kind, "fewerGpus");
    EXPECT_EQ(why->alternatives[0].value, "4");
  }
  Workload fits = yard.Draft("fits", Gpus(4), WorkloadType::kTraining);
  EXPECT_FALSE(yard.driver().DryRun(fits, DryRunDepth::kWhole)->never);
  EXPECT_EQ(yard.driver().DryRun(fits, DryRunDepth::kPossibility)->reason, "Possible");
}

TEST(Advisor, NodesSayWhatTheyLackInUnitsOfPeople) {
  YardFixture yard;
  yard.Run(yard.Submit("runs", Gpus(4)));
  WorkloadId waits = yard.Submit("waits", Gpus(2));
  EXPECT_EQ(yard.driver().Explain(waits)->nodes[0].missing, "has 0 GPU free, needs 2 GPU");
}

TEST(Advisor, TheQueueIsInTheOrderOfDecision) {
  YardFixture yard;
  yard.Submit("runs", Gpus(4, 60));
  WorkloadId low = yard.Submit("low", Gpus(4, 60));
  WorkloadId held = yard.Submit("held", R"({"command":"x","hold":true})");
  std::vector<QueueLine> lines = *yard.driver().Queue();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].workload, low);
  EXPECT_EQ(lines[0].position, 1);
  EXPECT_TRUE(lines[0].latest.has_value());
  EXPECT_EQ(lines[1].workload, held);
  EXPECT_EQ(lines[1].reason, "Held");
}

TEST(Advisor, WorkThatDoesNotWaitSaysWhatItDoes) {
  YardFixture yard;
  WorkloadId id = yard.Submit("runs", R"({"command":"x"})");
  yard.Run(id);
  EXPECT_EQ(yard.driver().Explain(id)->reason, "Running");
}

}  // namespace
}  // namespace yard::control
