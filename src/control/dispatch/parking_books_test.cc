// Time away is nobody's: in quota sums, GPU hours, limits, idle rules and the scheduler's picture.
#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/testing/yard_fixture.h"
#include "control/usage/sum.h"

namespace yard::control {
namespace {

constexpr auto kTraining = WorkloadType::kTraining;

class ParkingBooks : public ::testing::Test {
 protected:
  void Park(WorkloadId id) {
    ASSERT_TRUE(yard_.Do([id](Txn& txn) { return Outcome(ParkWorkload(txn, id)); }));
    ASSERT_EQ(yard_.AttemptOf(id)->residence, Residence::kAway);
  }
  void Resume(WorkloadId id) {
    ASSERT_TRUE(yard_.Do([id](Txn& txn) { return Outcome(ResumeWorkload(txn, id, kTraining)); }));
    ASSERT_EQ(yard_.PhaseOf(id), Phase::kRunning);
  }
  WorkloadId Run(const std::string& name, const std::string& spec) {
    WorkloadId id = yard_.Submit(name, spec);
    if (yard_.AttemptOf(id)) yard_.Run(id);
    return id;
  }
  Held HeldByProject() {
    Snapshot state = yard_.state();
    return state->holdings().Of(*state->Find<Project>(yard_.project())).all;
  }

  YardFixture yard_{{.nodes = 1, .gpus = 2, .cpu = MilliCpu(8000)}};
};

constexpr const char* kBoth =
    R"({"command":"x","compute":{"gpuDevicesRequest":2,"cpuCoreRequest":6}})";

TEST_F(ParkingBooks, TheProjectHoldsItsProcessorsAndNoGpu) {
  WorkloadId id = Run("train", kBoth);
  Held before = HeldByProject();
  EXPECT_EQ(before.gpu, MilliGpu(2000));
  Park(id);
  EXPECT_EQ(HeldByProject().gpu, MilliGpu(0));
  EXPECT_EQ(HeldByProject().cpu, MilliCpu(6000));
  yard_.Restart();
  EXPECT_EQ(HeldByProject().gpu, MilliGpu(0)) << "the same from what was stored";
  Resume(id);
  EXPECT_EQ(HeldByProject(), before);
  yard_.End(id);
  EXPECT_EQ(HeldByProject(), Held{});
}

TEST_F(ParkingBooks, ItsProcessorsAreTakenFromNobodyAndGivenToNobody) {
  WorkloadId id = Run("train", kBoth);
  Park(id);
  WorkloadId other = yard_.Submit(
      "other", R"({"command":"x","compute":{"gpuDevicesRequest":1,"cpuCoreRequest":4}})",
      WorkloadType::kWorkspace);
  EXPECT_EQ(yard_.PhaseOf(other), Phase::kPending) << "two cores are left";
  EXPECT_EQ(yard_.AttemptOf(id)->stop, std::nullopt) << "what is away gives way to nobody";
  WorkloadId small = Run("small", R"({"command":"x","compute":{"gpuDevicesRequest":1}})");
  EXPECT_EQ(yard_.PhaseOf(small), Phase::kRunning);
}

TEST_F(ParkingBooks, GpuHoursAreCountedToTheSecond) {
  WorkloadId id = Run("train", kBoth);
  Time start = yard_.clock().Now();
  yard_.Advance(Seconds(100));
  Park(id);
  yard_.Advance(Seconds(1000));
  Resume(id);
  yard_.Advance(Seconds(50));
  Park(id);
  yard_.Advance(Seconds(500));
  Time now = yard_.clock().Now();
  const Attempt attempt = *yard_.AttemptOf(id);
  EXPECT_EQ(AwayUntil(attempt, now), Seconds(1500));
  EXPECT_EQ(HeldUntil(attempt, now), GpuTime(2000 * Seconds(150).value));
  auto held = [&](Micros from, Micros to) {
    return UsageWithin(attempt, {}, {start + from, start + to}, now).held;
  };
  EXPECT_EQ(held(Seconds(0), Seconds(200)), GpuTime(2000 * Seconds(100).value));
  EXPECT_EQ(held(Seconds(200), Seconds(1000)), GpuTime(0));
  EXPECT_EQ(held(Seconds(1000), Seconds(9000)), GpuTime(2000 * Seconds(50).value));
}

TEST_F(ParkingBooks, WhatWasUsedFallsIntoTheTimeItHeldItsGpus) {
  Attempt attempt{.places = {{"a", {"GPU-1"}, MilliGpu(1000)}}, .placed_at = Time{} + Hours(1)};
  attempt.end = AttemptEnd{.at = Time{} + Hours(5)};
  attempt.absences = {{Time{} + Hours(2), Time{} + Hours(4)}};
  AttemptUse use{.gpu_measured = GpuTime(1000 * Hours(2).value),
                 .gpu_used = GpuTime(1000 * Hours(1).value)};
  auto within = [&](int from, int to) {
    return UsageWithin(attempt, use, {Time{} + Hours(from), Time{} + Hours(to)}, Time{} + Hours(9));
  };
  EXPECT_EQ(within(2, 4), UsageSum{}) << "nothing of it happened there";
  EXPECT_EQ(within(0, 3).used, GpuTime(1000 * Minutes(30).value));
  EXPECT_EQ(within(0, 9).not_measured(), GpuTime(0));
  UsageSum parts = within(0, 2);
  parts += within(2, 4);
  parts += within(4, 9);
  EXPECT_EQ(parts.held, within(0, 9).held);
  EXPECT_EQ(parts.used, within(0, 9).used);
}

TEST_F(ParkingBooks, TimeLimitsStandStillWhileItIsAway) {
  WorkloadId id = Run("train", R"({"command":"x","timeLimitSeconds":100,
      "compute":{"gpuDevicesRequest":2}})");
  yard_.Advance(Seconds(60));
  Park(id);
  yard_.Advance(Seconds(1000));
  EXPECT_EQ(yard_.ReasonOf(id), "Parked");
  Resume(id);
  yard_.Advance(Seconds(39));
  EXPECT_EQ(yard_.PhaseOf(id), Phase::kRunning);
  yard_.Advance(Seconds(2));
  EXPECT_EQ(yard_.ReasonOf(id), "TimeLimit");
}

TEST_F(ParkingBooks, NobodyIsIdleWhileAwayOrForWhatWasBefore) {
  ASSERT_TRUE(yard_.Do([&](Txn& txn) -> Status {
    Project project = *txn.state().Find<Project>(yard_.project());
    project.rules = SchedulingRules{.training_max_idle = 100};
    txn.Put(std::move(project));
    return {};
  }));
  WorkloadId id = Run("train", kBoth);
  for (int i = 0; i < 2; ++i) yard_.Advance(Seconds(31));
  Park(id);
  for (int i = 0; i < 5; ++i) yard_.Advance(Seconds(31));
  EXPECT_EQ(yard_.ReasonOf(id), "Parked");
  Resume(id);
  for (int i = 0; i < 2; ++i) yard_.Advance(Seconds(31));
  EXPECT_EQ(yard_.PhaseOf(id), Phase::kRunning) << "it is counted from its coming back";
  for (int i = 0; i < 3; ++i) yard_.Advance(Seconds(31));
  EXPECT_EQ(yard_.ReasonOf(id), "Idle");
}

TEST_F(ParkingBooks, WhatIsAwayIsNotMeasured) {
  WorkloadId id = Run("train", kBoth);
  yard_.engine().Use({.key = yard_.KeyOf(id), .gpu_percent = 100});
  yard_.Advance(Seconds(10));
  yard_.driver().LookAtUsage();
  Park(id);
  yard_.Advance(Seconds(10));
  yard_.driver().LookAtUsage();
  Resume(id);
  yard_.Advance(Seconds(5));
  yard_.driver().LookAtUsage();
  EXPECT_EQ(yard_.driver().UseOf(yard_.AttemptOf(id)->id).gpu_measured,
            GpuTime(2000 * Seconds(15).value));
}

TEST_F(ParkingBooks, WhatCouldNotLeaveIsMeasuredAllTheTime) {
  WorkloadId id = Run("train", kBoth);
  yard_.engine().Use({.key = yard_.KeyOf(id), .gpu_percent = 100});
  yard_.engine().RefuseParks(Error{Code::kPrecondition, "there is no room for it"});
  yard_.Advance(Seconds(8));
  ASSERT_TRUE(yard_.Do([id](Txn& txn) { return Outcome(ParkWorkload(txn, id)); }));
  ASSERT_EQ(yard_.AttemptOf(id)->residence, Residence::kOnGpu);
  yard_.Advance(Seconds(2));
  yard_.driver().LookAtUsage();
  EXPECT_EQ(yard_.driver().UseOf(yard_.AttemptOf(id)->id).gpu_measured,
            GpuTime(2000 * Seconds(10).value));
}

TEST_F(ParkingBooks, AnItemOfAnArrayThatIsAwayMakesRoomForAnother) {
  std::vector<WorkloadId> items;
  items.reserve(2);
  for (int i = 0; i < 2; ++i) {
    items.push_back(Run("item-" + std::to_string(i),
                        R"({"command":"x","compute":{"gpuDevicesRequest":1},
        "array":{"id":"sweep","size":2,"throttle":1,"index":)" +
                            std::to_string(i) + "}}"));
  }
  EXPECT_EQ(yard_.PhaseOf(items[1]), Phase::kPending);
  Park(items[0]);
  EXPECT_EQ(yard_.PhaseOf(items[1]), Phase::kInitializing);
}

}  // namespace
}  // namespace yard::control
