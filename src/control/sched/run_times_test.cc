#include "control/sched/run_times.h"

#include <gtest/gtest.h>

#include "control/commands/scheduler_settings.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

std::string Gpus(int count, std::string_view more = "") {
  return R"({"command":"x",)" + std::string(more) + R"("compute":{"gpuDevicesRequest":)" +
         std::to_string(count) + "}}";
}

// Runs work so long, alone, and lets it end.
WorkloadId RunOnce(YardFixture& yard, std::string name, Micros took,
                   EndCause cause = EndCause::kCompleted) {
  WorkloadId id = yard.Submit(std::move(name), Gpus(3));
  yard.Run(id);
  yard.Advance(took);
  yard.End(id, cause, cause == EndCause::kCompleted ? 0 : 1);
  return id;
}

std::optional<RunTimes::Estimate> EstimateOf(const YardFixture& yard, const Workload& workload) {
  RunTimes times;
  times.AddAll(*yard.state());
  times.AddAll(*yard.state());  // counts once
  return times.Of(workload);
}

TEST(RunTimes, TheStemOfANameHasNoNumbersAtItsEnd) {
  EXPECT_EQ(StemOf("train"), "train");
  EXPECT_EQ(StemOf("train-2"), "train");
  EXPECT_EQ(StemOf("sweep-12-7"), "sweep");
  EXPECT_EQ(StemOf("resnet50"), "resnet50");
  EXPECT_EQ(StemOf("-7"), "-7");
  EXPECT_EQ(StemOf("7"), "7");
}

TEST(RunTimes, ThreeRunsOfTheSameNameTeachHowLongTheNextTakes) {
  YardFixture yard;
  RunOnce(yard, "train-1", Minutes(8));
  RunOnce(yard, "train-2", Minutes(90));
  Workload next = *yard.Find(RunOnce(yard, "train-3", Minutes(10)));
  next.spec = {};  // known by its name alone
  std::optional<RunTimes::Estimate> learned = EstimateOf(yard, next);
  ASSERT_TRUE(learned.has_value());
  EXPECT_EQ(learned->runs, 3);
  EXPECT_GE(learned->runtime, Minutes(90)) << "three of four are over by then";
  EXPECT_LE(learned->runtime, Micros(Minutes(90).value / 8 * 9));
  RunOnce(yard, "train-4", Minutes(9));
  EXPECT_LE(EstimateOf(yard, next)->runtime, Minutes(12)) << "one long run of four is an outlier";
}

TEST(RunTimes, TheSameSpecIsKnownByAnyName) {
  YardFixture yard;
  for (const char* name : {"a", "b", "c"}) RunOnce(yard, name, Minutes(10));
  Workload next = *yard.Find(RunOnce(yard, "d", Minutes(10)));
  next.requested_name = "e";
  EXPECT_EQ(EstimateOf(yard, next)->runs, 4);
  next.stamp.created_by = "somebody@else.org";
  EXPECT_FALSE(EstimateOf(yard, next).has_value()) << "others may run the same on other data";
}

TEST(RunTimes, FewRunsFailedOnesAndStatedLimitsTeachNothing) {
  YardFixture yard;
  RunOnce(yard, "train-1", Minutes(10));
  RunOnce(yard, "train-2", Minutes(1), EndCause::kExit);
  Workload next = *yard.Find(RunOnce(yard, "train-3", Minutes(10)));
  EXPECT_FALSE(EstimateOf(yard, next).has_value());
  RunOnce(yard, "train-4", Minutes(10));
  EXPECT_TRUE(EstimateOf(yard, next).has_value());
  next.rules.time_limit = Hours(1);
  EXPECT_FALSE(EstimateOf(yard, next).has_value());
}

TEST(RunTimes, AForecastSaysFromHowManyRunsItWasLearned) {
  YardFixture yard;
  for (int i = 1; i <= 3; ++i) RunOnce(yard, "train-" + std::to_string(i), Minutes(10));
  WorkloadId runs = yard.Submit("train-4", Gpus(3));
  yard.Run(runs);
  WorkloadId waits = yard.Submit("waits", Gpus(4));
  Result<Why> why = yard.driver().Explain(waits);
  ASSERT_TRUE(why && why->earliest);
  EXPECT_EQ(why->basis, "run times learned from 3 earlier runs");
  EXPECT_GE(*why->earliest, *yard.AttemptOf(runs)->started_at + Minutes(10));
  EXPECT_LE(*why->earliest, *yard.AttemptOf(runs)->started_at + Minutes(12));
  yard.Restart();
  EXPECT_EQ(yard.driver().Explain(waits)->basis, "run times learned from 3 earlier runs");
}

// The place of the large one is planned for the end of what runs, which only experience tells.
TEST(RunTimes, BackfillKeepsThePlaceThatIsExpectedToComeFree) {
  YardFixture yard;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    Setting setting{.id = "scheduler.backfill", .stamp = txn.NewStamp()};
    setting.value.json = R"({"value":"on"})";
    txn.Put(std::move(setting));
    return {};
  }));
  for (int i = 1; i <= 3; ++i) RunOnce(yard, "train-" + std::to_string(i), Minutes(10));
  yard.Run(yard.Submit("train-4", Gpus(3)));
  yard.Submit("large", Gpus(4));
  WorkloadId endless = yard.Submit("endless", Gpus(1));
  WorkloadId brief = yard.Submit("brief", Gpus(1, R"("timeLimitSeconds":300,)"));
  EXPECT_TRUE(yard.AttemptOf(endless) == nullptr);
  EXPECT_TRUE(yard.AttemptOf(brief) != nullptr);
}

}  // namespace
}  // namespace yard::control
