#include <algorithm>

#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/state/retention.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

Status CancelIt(YardFixture& yard, WorkloadId id) {
  return yard.Do([id](Txn& txn) { return Outcome(CancelWorkload(txn, id)); });
}

TEST(Cancel, RunningWorkIsStoppedAndItsRecordSaysByWhomAndWhen) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"x"})");
  yard.Run(id);
  yard.engine().Behave(FakeEngine::OnLaunch::kWait, FakeEngine::OnStop::kIgnore);
  ASSERT_TRUE(CancelIt(yard, id));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopping);
  yard.End(id, EndCause::kSignal, std::nullopt);
  Ptr<Workload> record = yard.Find(id);
  EXPECT_EQ(record->life, Life::kCancelled);
  EXPECT_EQ(record->phase_reason, "Cancelled");
  EXPECT_TRUE(record->phase_message.starts_with("Cancelled by ")) << record->phase_message;
  EXPECT_TRUE(record->completed_at.has_value());
  EXPECT_FALSE(record->deleted_at.has_value());
  EXPECT_EQ(yard.AttemptOf(id)->end->cause, EndCause::kCancelled);
}

TEST(Cancel, WaitingWorkIsStoppedAtOnce) {
  YardFixture yard;
  WorkloadId id = yard.Submit("large", R"({"compute":{"gpuDevicesRequest":9}})");
  ASSERT_TRUE(CancelIt(yard, id));
  EXPECT_EQ(yard.Find(id)->life, Life::kCancelled);
  EXPECT_TRUE(CancelIt(yard, id)) << "once more changes nothing";
}

TEST(Cancel, SuspendedWorkIsCancelledToo) {
  YardFixture yard;
  WorkloadId id = yard.Submit("pause", R"({"command":"x"})");
  yard.Run(id);
  ASSERT_TRUE(yard.Do(
      [id](Txn& txn) { return Outcome(SuspendWorkload(txn, id, WorkloadType::kTraining)); }));
  ASSERT_EQ(yard.PhaseOf(id), Phase::kStopped);
  ASSERT_TRUE(CancelIt(yard, id));
  EXPECT_EQ(yard.Find(id)->life, Life::kCancelled);
}

TEST(Cancel, HeldWorkStaysCancelledWhenSomebodyReleasesIt) {
  YardFixture yard;
  WorkloadId id = yard.Submit("held", R"({"command":"x","hold":true})");
  ASSERT_TRUE(CancelIt(yard, id));
  EXPECT_FALSE(yard.Find(id)->rules.hold);
  Status released = yard.Do([id](Txn& txn) { return Outcome(ReleaseWorkload(txn, id)); });
  ASSERT_FALSE(released);
  EXPECT_EQ(released.error().code, Code::kPrecondition);
  EXPECT_EQ(yard.Find(id)->life, Life::kCancelled);
}

TEST(Cancel, WhatHasEndedCannotBeCancelled) {
  YardFixture yard;
  WorkloadId id = yard.Submit("done", R"({"command":"x"})");
  yard.Run(id);
  yard.End(id);
  EXPECT_FALSE(CancelIt(yard, id));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kCompleted);
}

TEST(Cancel, WhatWaitedForItToEndWellNeverStartsAndWhatWaitedForItsEndDoes) {
  YardFixture yard;
  WorkloadId first = yard.Submit("first", R"({"command":"x"})");
  yard.Run(first);
  WorkloadId ok =
      yard.Submit("ok", R"({"command":"x","dependsOn":[{"workload":"first","condition":"ok"}]})");
  WorkloadId any =
      yard.Submit("any", R"({"command":"x","dependsOn":[{"workload":"first","condition":"any"}]})");
  ASSERT_TRUE(CancelIt(yard, first));
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.PhaseOf(ok), Phase::kFailed);
  EXPECT_EQ(yard.PhaseOf(any), Phase::kInitializing);
}

TEST(Cancel, ARecordRunsOnceMoreUnderTheNextNumberAndIsRemovedInTheEnd) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"x"})");
  yard.Run(id);
  ASSERT_TRUE(CancelIt(yard, id));
  WorkloadId again;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    YARD_ASSIGN(Ptr<Workload> fresh, RerunWorkload(txn, id));
    again = fresh->id;
    return {};
  }));
  EXPECT_EQ(yard.Find(again)->name, "train-2");
  yard.Advance(Days(31));
  std::vector<WorkloadId> finished = FindExpired(*yard.state(), yard.clock().Now(), {}).finished;
  EXPECT_NE(std::ranges::find(finished, id), finished.end());
}

TEST(Names, ATakenOneIsNumberedOnlyWhenAskedFor) {
  YardFixture yard;
  for (const char* expected : {"train", "train-2", "train-3", "train-4"}) {
    WorkloadId id;
    ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
      WorkloadDraft draft{.workload = yard.Draft("train", "{}", WorkloadType::kTraining),
                          .naming = Naming::kNumber};
      YARD_ASSIGN(Ptr<Workload> made, CreateWorkload(txn, std::move(draft)));
      id = made->id;
      return {};
    }));
    EXPECT_EQ(yard.Find(id)->name, expected);
  }
  WorkloadId refused;
  EXPECT_FALSE(yard.TrySubmit(yard.Draft("train", "{}", WorkloadType::kTraining), &refused));
}

TEST(Priority, CanBeChangedWhileWorkWaits) {
  YardFixture yard;
  WorkloadId id = yard.Submit("large", R"({"compute":{"gpuDevicesRequest":9}})");
  auto set = [&](const char* name) {
    return yard.Do([&](Txn& txn) { return Outcome(PrioritizeWorkload(txn, id, name)); });
  };
  ASSERT_TRUE(set("high"));
  EXPECT_EQ(yard.Find(id)->priority, 125);
  EXPECT_TRUE(yard.Find(id)->preemptible) << "as it was submitted";
  Status unknown = set("60");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().details.find("medium-low"), std::string::npos);
}

}  // namespace
}  // namespace yard::control
