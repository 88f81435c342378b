#include "control/commands/scheduler_settings.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "control/commands/org.h"
#include "control/commands/workloads.h"
#include "control/testing/yard_fixture.h"
#include "wire/setting.h"

namespace yard::control {
namespace {

Status Check(std::string_view key, const json::value& value) {
  return CheckSetting(key, wire::PlainText(value));
}

void Set(YardFixture& yard, const std::string& key, const json::value& value) {
  ASSERT_TRUE(Check(key, value)) << key;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    txn.Put(Setting{.id = key, .value = wire::SettingDocument(value), .stamp = txn.NewStamp()});
    return {};
  }));
  yard.Settle();
}

TEST(SchedulerSettings, AreCheckedWhenTheyAreSaved) {
  EXPECT_TRUE(Check("theme", "dark"));
  for (const char* good : {"fair-share", "nth-gpu", "decayed", "fifo"}) {
    EXPECT_TRUE(Check("scheduler.fairness", good)) << good;
  }
  EXPECT_TRUE(Check("scheduler.preemption", false));
  EXPECT_TRUE(Check("scheduler.backfill", "on"));
  for (const json::value& good : {json::value("7d"), json::value("36h"), json::value(3600)}) {
    EXPECT_TRUE(Check("scheduler.half-life", good)) << json::serialize(good);
  }
  for (const json::value& bad : {json::value("0d"), json::value("-1h"), json::value("soon"),
                                 json::value("99999999999999d"), json::value(1), json::value()}) {
    EXPECT_FALSE(Check("scheduler.half-life", bad)) << json::serialize(bad);
  }
  EXPECT_FALSE(Check("scheduler.fairness", "fair"));
  EXPECT_FALSE(Check("scheduler.preemption", "perhaps"));
  Status unknown = Check("scheduler.fairnes", "fifo");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().details, "did you mean 'scheduler.fairness'?");
}

TEST(SchedulerSettings, GuardsAreSpansOrNone) {
  for (const json::value& good : {json::value("10m"), json::value("0s"), json::value(0)}) {
    EXPECT_TRUE(Check("scheduler.reclaim-min-runtime", good)) << json::serialize(good);
    EXPECT_TRUE(Check("scheduler.preempt-min-runtime", good)) << json::serialize(good);
  }
  EXPECT_FALSE(Check("scheduler.reclaim-min-runtime", "-1m"));
  EXPECT_FALSE(Check("scheduler.preempt-min-runtime", "a while"));
  YardFixture yard;
  Set(yard, "scheduler.reclaim-min-runtime", "10m");
  EXPECT_EQ(RulesOf(*yard.state(), {}).policy.reclaim_min_runtime, Minutes(10));
  EXPECT_EQ(RulesOf(*yard.state(), {}).policy.preempt_min_runtime, Micros(0));
  auto shown = [&](std::string_view key) {
    std::vector<ShownSetting> all = SchedulerSettings(*yard.state());
    return std::ranges::find(all, key, &ShownSetting::key)->value;
  };
  EXPECT_EQ(shown("scheduler.reclaim-min-runtime"), "600s");
  EXPECT_EQ(shown("scheduler.preempt-min-runtime"), "0s");
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
  EXPECT_EQ(rules.policy.backfill, sched::Backfill::kHeads);
  Set(yard, "scheduler.backfill", "conservative");
  EXPECT_EQ(RulesOf(*yard.state(), {}).policy.backfill, sched::Backfill::kConservative);
  EXPECT_EQ(rules.half_life, Hours(36));
  EXPECT_EQ(SchedulerSettings(*yard.state())[0].value, "fifo");
}

TEST(SchedulerSettings, CapsAreNumbersOrNone) {
  for (const json::value& good : {json::value(4), json::value("2.5"), json::value("none")}) {
    EXPECT_TRUE(Check("scheduler.max-gpus-per-user", good)) << json::serialize(good);
  }
  EXPECT_TRUE(Check("scheduler.max-interactive-per-user", 1));
  EXPECT_FALSE(Check("scheduler.max-interactive-per-project", "1.5"));
  EXPECT_TRUE(Check("scheduler.max-evictions-per-hour", 2));
  EXPECT_TRUE(Check("scheduler.max-evictions-per-hour", "none"));
  EXPECT_FALSE(Check("scheduler.max-evictions-per-hour", 0));
  EXPECT_FALSE(Check("scheduler.max-gpus-per-user", "-1"));
  EXPECT_FALSE(Check("scheduler.max-gpus-per-user", "many"));
}

TEST(SchedulerSettings, ACapHoldsForEveryUserAndIsToldWithItsNumbers) {
  YardFixture yard;
  Set(yard, "scheduler.max-gpus-per-user", 2);
  Workload draft = yard.Draft("first", R"({"command":"x","compute":{"gpuDevicesRequest":2}})",
                              WorkloadType::kTraining);
  auto submit = [&](std::string name) {
    WorkloadId id;
    EXPECT_TRUE(yard.service().WriteAndWait({.id = "admin@lab.org"}, [&](Txn& txn) -> Status {
      draft.name = std::move(name);
      YARD_ASSIGN(Ptr<Workload> made, CreateWorkload(txn, {.workload = draft}));
      id = made->id;
      return {};
    }));
    yard.Settle();
    return id;
  };
  yard.Run(submit("first"));
  WorkloadId second = submit("second");
  EXPECT_TRUE(yard.AttemptOf(second) == nullptr);
  EXPECT_EQ(yard.driver().Explain(second)->message,
            "The user's cap is 2 GPU: allocated 2 GPU, requested 2 GPU.");
  Set(yard, "scheduler.max-gpus-per-user", "none");
  EXPECT_TRUE(yard.AttemptOf(second) != nullptr);
}

// Fair share would serve the older project; the department serves the older work.
TEST(SchedulerSettings, ADepartmentsOwnFairnessHoldsFromTheMomentItIsSaved) {
  constexpr const char* kAll = R"({"command":"x","compute":{"gpuDevicesRequest":4}})";
  YardFixture yard;
  ProjectId other;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    DepartmentId department = txn.state().Find<Project>(yard.project())->department;
    OrgUnitDraft draft{.name = "other",
                       .cluster = txn.state().Find<Project>(yard.project())->cluster};
    YARD_ASSIGN(Ptr<Project> made, CreateProject(txn, draft));
    other = made->id;
    return Outcome(UpdateDepartment(txn, department, {.fairness = std::optional(Fairness::kFifo)}));
  }));
  WorkloadId runs = yard.Submit("runs", kAll);
  yard.Run(runs);
  yard.Advance(Minutes(1));
  Workload draft = yard.Draft("older", kAll, WorkloadType::kTraining);
  draft.project = other;
  WorkloadId older;
  ASSERT_TRUE(yard.TrySubmit(draft, &older));
  yard.Advance(Minutes(1));
  WorkloadId newer = yard.Submit("newer", kAll);
  yard.End(runs);
  EXPECT_TRUE(yard.AttemptOf(older) != nullptr);
  EXPECT_TRUE(yard.AttemptOf(newer) == nullptr);
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
