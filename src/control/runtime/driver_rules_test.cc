// The rules work may be submitted with: time, retries, dependencies, holds, arrays, gangs.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/policy/policy.h"
#include "control/runtime/driver.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

TEST(DriverRules, WorkIsStoppedAtItsTimeLimitCountedFromItsStart) {
  YardFixture yard;
  WorkloadId id = yard.Submit("limited", R"({"command":"sleep","timeLimitSeconds":60})");
  yard.Advance(Seconds(100));  // starting takes a while and does not count
  yard.Run(id);
  yard.Advance(Seconds(59));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  yard.Advance(Seconds(1));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
  EXPECT_EQ(yard.ReasonOf(id), "TimeLimit");
  EXPECT_EQ(yard.AttemptOf(id)->stop->rule, "time-limit");
}

TEST(DriverRules, TimeCanBeExtendedWhileItRuns) {
  YardFixture yard;
  WorkloadId id = yard.Submit("limited", R"({"command":"sleep","timeLimitSeconds":60})");
  yard.Run(id);
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Outcome(ExtendWorkload(txn, id, Seconds(60))); }));
  yard.Advance(Seconds(119));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
}

TEST(DriverRules, WaitingWorkGivenAHigherPriorityTakesThePlaceOfLowerWork) {
  YardFixture yard;
  constexpr const char* kAll = R"({"command":"sleep","compute":{"gpuDevicesRequest":4}})";
  WorkloadId runs = yard.Submit("runs", kAll);
  yard.Run(runs);
  WorkloadId waits = yard.Submit("waits", kAll);
  ASSERT_TRUE(
      yard.Do([&](Txn& txn) { return Outcome(PrioritizeWorkload(txn, waits, "medium-high")); }));
  ASSERT_TRUE(yard.AttemptOf(runs)->stop);
  EXPECT_EQ(yard.AttemptOf(runs)->stop->rule, "priority");
}

TEST(DriverRules, ATimeLimitOfTheProjectHoldsForWorkSubmittedUnderIt) {
  YardFixture yard;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    Project project = *txn.state().Find<Project>(yard.project());
    project.rules = SchedulingRules{.training_time_limit = 30};
    txn.Put(std::move(project));
    return {};
  }));
  WorkloadId id = yard.Submit("limited", R"({"command":"sleep","timeLimitSeconds":60})");
  EXPECT_EQ(yard.Find(id)->rules.time_limit, Seconds(30));
}

TEST(DriverRules, TimeCannotBeExtendedBeyondTheLimitOfTheProject) {
  YardFixture yard;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    Project project = *txn.state().Find<Project>(yard.project());
    project.rules = SchedulingRules{.training_time_limit = 60};
    txn.Put(std::move(project));
    return {};
  }));
  WorkloadId id = yard.Submit("limited", R"({"command":"sleep","timeLimitSeconds":30})");
  auto extend = [&](Micros by) {
    return yard.Do([&](Txn& txn) { return Outcome(ExtendWorkload(txn, id, by)); });
  };
  EXPECT_TRUE(extend(Seconds(30)));
  EXPECT_EQ(extend(Seconds(1)).error().code, Code::kPrecondition);
  EXPECT_EQ(yard.Find(id)->rules.time_limit, Seconds(60));
}

Status Forbid(YardFixture& yard, std::string_view rules) {
  return yard.Do([&](Txn& txn) {
    PolicyDraft draft{.type = PolicyType::kTraining,
                      .scope = Scope::Of(yard.project()),
                      .name = "limits",
                      .policy = {fmt::format(R"({{"rules":{}}})", rules)}};
    return Outcome(SetPolicy(txn, {.draft = std::move(draft)}));
  });
}

TEST(DriverRules, WorkRunsOnceMoreOnlyUnderThePoliciesOfToday) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"x","compute":{"gpuDevicesRequest":2}})");
  yard.Run(id);
  yard.End(id);
  ASSERT_TRUE(Forbid(yard, R"({"compute":{"gpuDevicesRequest":{"max":1}}})"));
  Status again = yard.Do([&](Txn& txn) { return Outcome(RerunWorkload(txn, id)); });
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::kInvalid);
  ASSERT_TRUE(Forbid(yard, R"({"compute":{"gpuDevicesRequest":{"max":2}}})"));
  EXPECT_TRUE(yard.Do([&](Txn& txn) { return Outcome(RerunWorkload(txn, id)); }));
}

TEST(DriverRules, WorkStopsAtAClockTimeAndFailsIfThatPassesWhileItWaits) {
  YardFixture yard;
  Time stop = yard.clock().Now() + Seconds(100);
  std::string spec = R"({"command":"sleep","compute":{"gpuDevicesRequest":4},"stopAt":")" +
                     FormatRfc3339(stop) + "\"}";
  WorkloadId runs = yard.Submit("runs", spec);
  WorkloadId waits = yard.Submit("waits", spec);
  yard.Run(runs);
  yard.Advance(Seconds(100));
  EXPECT_EQ(yard.PhaseOf(runs), Phase::kFailed);
  EXPECT_EQ(yard.PhaseOf(waits), Phase::kFailed);
  EXPECT_EQ(yard.ReasonOf(waits), "StopTimePassed");
}

TEST(DriverRules, NothingIsTriedAgainUnlessAskedFor) {
  YardFixture yard;
  WorkloadId id = yard.Submit("once", R"({"command":"x"})");
  yard.Run(id);
  yard.End(id, EndCause::kExit, 1);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
}

TEST(DriverRules, ARetryRuleTriesAgainForItsCausesUpToItsLimit) {
  YardFixture yard;
  WorkloadId id =
      yard.Submit("retry", R"({"command":"x","retry":{"limit":2,"on":["Exit"],"exitCodes":[75]}})");
  for (int attempt = 1; attempt <= 3; ++attempt) {
    ASSERT_EQ(yard.AttemptOf(id)->number, attempt);
    yard.Run(id);
    yard.End(id, EndCause::kExit, 75);
  }
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
  EXPECT_EQ(yard.Find(id)->retries, 2);

  WorkloadId other =
      yard.Submit("other", R"({"command":"x","retry":{"limit":2,"on":["Exit"],"exitCodes":[75]}})");
  yard.Run(other);
  yard.End(other, EndCause::kExit, 1);
  EXPECT_EQ(yard.PhaseOf(other), Phase::kFailed);
}

TEST(DriverRules, WorkThatFollowsOtherWorkWaitsForItsEnd) {
  YardFixture yard;
  WorkloadId first = yard.Submit("first", R"({"command":"x"})");
  WorkloadId after_ok = yard.Submit("ok", R"({"command":"x","dependsOn":[{"workload":"first"}]})");
  WorkloadId after_fail = yard.Submit(
      "fail", R"({"command":"x","dependsOn":[{"workload":"first","condition":"fail"}]})");
  WorkloadId after_any =
      yard.Submit("any", R"({"command":"x","dependsOn":[{"workload":"first","condition":"any"}]})");
  EXPECT_EQ(yard.PhaseOf(after_ok), Phase::kPending);
  EXPECT_EQ(yard.ReasonOf(after_ok), "Dependency");
  yard.Run(first);
  yard.End(first);
  EXPECT_EQ(yard.PhaseOf(after_ok), Phase::kInitializing);
  EXPECT_EQ(yard.PhaseOf(after_any), Phase::kInitializing);
  EXPECT_EQ(yard.PhaseOf(after_fail), Phase::kStopped);
  EXPECT_EQ(yard.ReasonOf(after_fail), "Cancelled");
  EXPECT_EQ(yard.MessageOf(after_fail),
            "Cancelled by the end of 'first', after which it is not needed.");
}

TEST(DriverRules, AFailedChainFailsToItsEnd) {
  YardFixture yard;
  WorkloadId a = yard.Submit("a", R"({"command":"x"})");
  yard.Submit("b", R"({"command":"x","dependsOn":[{"workload":"a"}]})");
  WorkloadId c = yard.Submit("c", R"({"command":"x","dependsOn":[{"workload":"b"}]})");
  yard.Run(a);
  yard.End(a, EndCause::kExit, 1);
  EXPECT_EQ(yard.PhaseOf(c), Phase::kFailed);
}

TEST(DriverRules, ADependencyOnSomethingUnknownIsRefused) {
  YardFixture yard;
  WorkloadId id;
  Workload draft = yard.Draft("x", R"({"command":"x","dependsOn":[{"workload":"nobody"}]})",
                              WorkloadType::kTraining);
  EXPECT_EQ(yard.TrySubmit(draft, &id).error().code, Code::kInvalid);
}

TEST(DriverRules, HeldWorkStartsWhenItIsReleased) {
  YardFixture yard;
  WorkloadId id = yard.Submit("held", R"({"command":"x","hold":true})");
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  EXPECT_EQ(yard.ReasonOf(id), "Held");
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Outcome(ReleaseWorkload(txn, id)); }));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
  EXPECT_EQ(yard.Do([&](Txn& txn) { return Outcome(HoldWorkload(txn, id)); }).error().code,
            Code::kPrecondition);
}

TEST(DriverRules, OfAnArrayOnlyItsThrottleRunsAtATimeLowestIndexFirst) {
  YardFixture yard;
  std::vector<WorkloadId> items;
  for (int i = 0; i < 5; ++i) {
    items.push_back(
        yard.Submit("item-" + std::to_string(i),
                    R"({"command":"x","array":{"id":"sweep","size":5,"throttle":2,"index":)" +
                        std::to_string(i) + "}}"));
  }
  auto running = [&] {
    std::vector<int> which;
    for (int i = 0; i < 5; ++i) {
      if (yard.PhaseOf(items[static_cast<std::size_t>(i)]) == Phase::kInitializing) {
        which.push_back(i);
      }
    }
    return which;
  };
  EXPECT_EQ(running(), (std::vector<int>{0, 1}));
  EXPECT_EQ(yard.ReasonOf(items[4]), "ArrayThrottle");
  yard.Run(items[0]);
  yard.End(items[0]);
  EXPECT_EQ(running(), (std::vector<int>{1, 2}));
}

TEST(DriverRules, WorkThatEndedCanBeRunOnceMoreAsNewWork) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"x"})");
  EXPECT_EQ(yard.Do([&](Txn& txn) { return Outcome(RerunWorkload(txn, id)); }).error().code,
            Code::kPrecondition);
  yard.Run(id);
  yard.End(id, EndCause::kExit, 1);
  WorkloadId again;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    YARD_ASSIGN(Ptr<Workload> made, RerunWorkload(txn, id));
    again = made->id;
    return {};
  }));
  EXPECT_NE(again, id);
  EXPECT_EQ(yard.PhaseOf(again), Phase::kInitializing);
  EXPECT_TRUE(yard.Find(again)->name.starts_with("train-"));
}

TEST(DriverRules, IdleWorkIsWarnedThenStoppedAndCanBeResumed) {
  YardFixture yard;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    Project project = *txn.state().Find<Project>(yard.project());
    project.rules = SchedulingRules{.training_max_idle = 100};
    txn.Put(std::move(project));
    return {};
  }));
  WorkloadId id = yard.Submit("idle", R"({"command":"sleep"})");
  yard.Run(id);
  for (int i = 0; i < 4; ++i) yard.Advance(Seconds(31));
  std::vector<WorkloadEvent> events = *yard.service().ReadEvents(id, 0, 100);
  EXPECT_TRUE(std::ranges::any_of(
      events, [](const WorkloadEvent& event) { return event.reason == "IdleWarning"; }));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  for (int i = 0; i < 2; ++i) yard.Advance(Seconds(31));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopped);
  EXPECT_EQ(yard.ReasonOf(id), "Idle");
  ASSERT_TRUE(
      yard.Do([&](Txn& txn) { return Outcome(ResumeWorkload(txn, id, WorkloadType::kTraining)); }));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
}

TEST(DriverRules, PreemptedWorkGetsItsOwnSignalAndGrace) {
  YardFixture yard;
  WorkloadId low = yard.Submit("low", R"({"command":"x","compute":{"gpuDevicesRequest":4},
      "preemptSignal":"SIGUSR1","terminationGracePeriodSeconds":7})");
  yard.Run(low);
  engine::TaskKey key = yard.KeyOf(low);
  yard.Submit("high", R"({"command":"x","compute":{"gpuDevicesRequest":4}})",
              WorkloadType::kWorkspace);
  ASSERT_TRUE(yard.engine().Find(key).has_value());
  EXPECT_EQ(yard.engine().Find(key)->stop.signal, 10);
  EXPECT_EQ(yard.engine().Find(key)->stop.grace, Seconds(7));
}

}  // namespace
}  // namespace yard::control
