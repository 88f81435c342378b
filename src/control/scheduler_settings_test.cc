#include "control/scheduler_settings.h"

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

void Set(YardFixture& yard, const std::string& key, const json::value& value) {
  ASSERT_TRUE(CheckSetting(key, value)) << key;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    Setting setting{.id = key, .stamp = txn.NewStamp()};
    setting.value.json = json::serialize(json::object{{"value", value}});
    txn.Put(std::move(setting));
    return {};
  }));
  yard.Settle();
}

TEST(SchedulerSettings, AreCheckedWhenTheyAreSaved) {
  EXPECT_TRUE(CheckSetting("theme", "dark"));
  for (const char* good : {"fair-share", "nth-gpu", "decayed", "fifo"}) {
    EXPECT_TRUE(CheckSetting("scheduler.fairness", good)) << good;
  }
  EXPECT_TRUE(CheckSetting("scheduler.preemption", false));
  EXPECT_TRUE(CheckSetting("scheduler.backfill", "on"));
  for (json::value good : {json::value("7d"), json::value("36h"), json::value(3600)}) {
    EXPECT_TRUE(CheckSetting("scheduler.half-life", good)) << json::serialize(good);
  }
  for (json::value bad : {json::value("0d"), json::value("-1h"), json::value("soon"),
                          json::value("99999999999999d"), json::value(1), json::value()}) {
    EXPECT_FALSE(CheckSetting("scheduler.half-life", bad)) << json::serialize(bad);
  }
  EXPECT_FALSE(CheckSetting("scheduler.fairness", "fair"));
  EXPECT_FALSE(CheckSetting("scheduler.preemption", "perhaps"));
  Status unknown = CheckSetting("scheduler.fairnes", "fifo");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().details, "did you mean 'scheduler.fairness'?");
}

TEST(SchedulerSettings, HoldFromTheMomentTheyAreSaved) {
  YardFixture yard;
  EXPECT_EQ(RulesOf(*yard.state(), {}).policy.fairness, sched::Fairness::kFairShare);
  Set(yard, "scheduler.fairness", "fifo");
  Set(yard, "scheduler.preemption", "off");
  Set(yard, "scheduler.backfill", "on");
  Set(yard, "scheduler.half-life", "36h");
  SchedulerRules rules = RulesOf(*yard.state(), {});
  EXPECT_EQ(rules.policy.fairness, sched::Fairness::kFifo);
  EXPECT_EQ(rules.policy.preemption, sched::Preemption::kNever);
  EXPECT_EQ(rules.policy.backfill, sched::Backfill::kConservative);
  EXPECT_EQ(rules.half_life, Hours(36));
  EXPECT_EQ(SchedulerSettings(*yard.state())[0].value, "fifo");
}

// Work of high priority takes the place of work of low priority, unless that is turned off.
TEST(SchedulerSettings, PreemptionCanBeTurnedOffWhileWorkRuns) {
  auto gpus = [](std::string_view priority) {
    return R"({"command":"x","compute":{"gpuDevicesRequest":4},"priorityClass":")" +
           std::string(priority) + R"(","preemptibility":"preemptible"})";
  };
  YardFixture yard;
  Set(yard, "scheduler.preemption", "off");
  WorkloadId low = yard.Submit("low", gpus("train"));
  yard.Run(low);
  yard.Submit("high", gpus("inference"));
  yard.Settle();
  EXPECT_FALSE(yard.AttemptOf(low)->stop.has_value());
  Set(yard, "scheduler.preemption", "on");
  EXPECT_TRUE(yard.AttemptOf(low)->stop.has_value());
}

}  // namespace
}  // namespace yard::control
