#include "control/runtime/driver.h"

#include <atomic>

#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/dispatch/node_sync.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

constexpr auto kTraining = WorkloadType::kTraining;

std::string Gpus(int count) {
  return R"({"command":"train","compute":{"gpuDevicesRequest":)" + std::to_string(count) + "}}";
}

TEST(Driver, WorkRunsFromSubmissionToCompletion) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"python train.py"})");
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
  yard.Run(id);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  EXPECT_TRUE(yard.AttemptOf(id)->started_at.has_value());
  yard.End(id);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kCompleted);
  EXPECT_EQ(yard.AttemptOf(id)->end->cause, EndCause::kCompleted);
  EXPECT_EQ(yard.Find(id)->attempts, 1);
}

TEST(Driver, AFailureIsRecordedWithItsExitCodeAndASentence) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"false"})");
  yard.Run(id);
  yard.End(id, EndCause::kExit, 3);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
  EXPECT_EQ(yard.ReasonOf(id), "Exit");
  EXPECT_EQ(yard.Find(id)->phase_message, "Exited with code 3.");
  EXPECT_EQ(yard.AttemptOf(id)->end->exit_code, 3);
}

TEST(Driver, WorkThatEndsAtOnceStillShowsThatItRan) {
  YardFixture yard;
  yard.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kEnd);
  WorkloadId id = yard.Submit("quick", R"({"command":"true"})");
  yard.End(id);
  std::vector<std::string> phases;
  const std::vector<WorkloadEvent> events = *yard.service().ReadEvents(id, 0, 100);
  for (const WorkloadEvent& event : events) {
    if (event.source == kPhaseSource) phases.insert(phases.begin(), event.reason);
  }
  EXPECT_EQ(phases, (std::vector<std::string>{"Pending", "Initializing", "Running", "Completed"}));
}

TEST(Driver, WhatDoesNotFitWaitsWithTheSchedulersReasonAndStartsWhenThereIsRoom) {
  YardFixture yard;
  WorkloadId first = yard.Submit("first", Gpus(4));
  WorkloadId second = yard.Submit("second", Gpus(2));
  EXPECT_EQ(yard.PhaseOf(first), Phase::kInitializing);
  EXPECT_EQ(yard.PhaseOf(second), Phase::kPending);
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.ReasonOf(second), "Gpus");
  EXPECT_NE(yard.MessageOf(second).find("GPU"), std::string::npos);
  yard.Run(first);
  yard.End(first);
  EXPECT_EQ(yard.PhaseOf(second), Phase::kInitializing);
}

TEST(Driver, NoTwoWorkloadsHoldTheSameDevice) {
  YardFixture yard;
  std::set<std::string> devices;
  for (const char* name : {"a", "b"}) {
    WorkloadId id = yard.Submit(name, Gpus(2));
    for (const std::string& gpu : yard.AttemptOf(id)->places[0].gpus) devices.insert(gpu);
  }
  EXPECT_EQ(devices.size(), 4U);
}

TEST(Driver, SuspendedWorkStopsKeepsNothingAndRunsAgainWhenResumed) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", Gpus(4));
  yard.Run(id);
  yard.engine().Behave(FakeEngine::OnLaunch::kWait, FakeEngine::OnStop::kIgnore);
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Outcome(SuspendWorkload(txn, id, kTraining)); }));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopping);
  EXPECT_EQ(yard.engine().Find(yard.KeyOf(id))->stops, 1);
  yard.End(id, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopped);
  EXPECT_EQ(yard.AttemptOf(id)->end->cause, EndCause::kSuspended);
  WorkloadId other = yard.Submit("other", Gpus(4));
  EXPECT_EQ(yard.PhaseOf(other), Phase::kInitializing);
  yard.Run(other);
  yard.End(other);
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Outcome(ResumeWorkload(txn, id, kTraining)); }));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
  EXPECT_EQ(yard.AttemptOf(id)->number, 2);
}

TEST(Driver, DeletedWorkHoldsItsDevicesUntilItIsReallyGone) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", Gpus(4));
  yard.Run(id);
  yard.engine().Behave(FakeEngine::OnLaunch::kWait, FakeEngine::OnStop::kIgnore);
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return DeleteWorkload(txn, id, std::nullopt); }));
  WorkloadId next = yard.Submit("train", Gpus(4));
  EXPECT_EQ(yard.PhaseOf(next), Phase::kPending);
  yard.End(id, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kDeleting);
  EXPECT_EQ(yard.AttemptOf(id)->end->cause, EndCause::kDeleted);
  EXPECT_EQ(yard.PhaseOf(next), Phase::kInitializing);
}

TEST(Driver, NonPreemptibleWorkTakesThePlaceOfPreemptibleWorkOfItsProject) {
  YardFixture yard;
  WorkloadId victim = yard.Submit("low", Gpus(4));
  yard.Run(victim);
  WorkloadId winner = yard.Submit("high", Gpus(4), WorkloadType::kWorkspace);
  EXPECT_EQ(yard.PhaseOf(victim), Phase::kPending);
  EXPECT_EQ(yard.PhaseOf(winner), Phase::kInitializing);
  Ptr<Attempt> attempt = yard.state()->AttemptsOf(victim).front();
  EXPECT_EQ(attempt->end->cause, EndCause::kPreempted);
  EXPECT_EQ(attempt->stop->by, "high");
  EXPECT_EQ(attempt->stop->rule, "priority");
}

TEST(Driver, ALaunchThatCannotBeMadeFailsTheWorkWithTheReason) {
  YardFixture yard;
  WorkloadId id = yard.Submit("empty");
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
  EXPECT_EQ(yard.ReasonOf(id), "LaunchFailed");
  EXPECT_NE(yard.Find(id)->phase_message.find("neither an image nor a command"), std::string::npos);
}

TEST(Driver, AnEngineThatIsBusyIsAskedAgain) {
  YardFixture yard;
  yard.engine().RefuseLaunches(Error{Code::kUnavailable, "busy"});
  WorkloadId id = yard.Submit("train", R"({"command":"true"})");
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
  EXPECT_EQ(yard.engine().launches(), 0U);
  yard.engine().RefuseLaunches(std::nullopt);
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.engine().launches(), 1U);
}

TEST(Driver, WorkStartsOnceItsDataSetIsMade) {
  std::atomic<bool> made = false;
  YardFixture yard(
      {.launch = {.data_view = [&](ProjectId, const DataSetMount&) -> Result<std::string> {
         if (made) return "7/abc";
         return Fail(Code::kTooMany, "data set 'images' is being made ready");
       }}});
  WorkloadId id =
      yard.Submit("train", R"({"command":"true","storage":{"dataSets":[{"name":"images"}]}})");
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
  WorkloadId other = yard.Submit("other", R"({"command":"true"})");
  EXPECT_EQ(yard.engine().launches(), 1U) << "nobody else waits";
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
  made = true;
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.engine().launches(), 2U);
  EXPECT_NE(yard.PhaseOf(other), Phase::kFailed);
}

TEST(Driver, WorkThatIsCancelledBeforeItsDataSetIsMadeEnds) {
  YardFixture yard(
      {.launch = {.data_view = [](ProjectId, const DataSetMount&) -> Result<std::string> {
         return Fail(Code::kTooMany, "data set 'images' is being made ready");
       }}});
  WorkloadId id =
      yard.Submit("train", R"({"command":"true","storage":{"dataSets":[{"name":"images"}]}})");
  ASSERT_TRUE(yard.Do([id](Txn& txn) { return Outcome(CancelWorkload(txn, id)); }));
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopped);
}

TEST(Driver, ATaskThatCannotBeReachedIsToldToStopAgain) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"true"})");
  yard.Run(id);
  yard.engine().RefuseStops(Error{Code::kUnavailable, "nobody watches over it"});
  ASSERT_TRUE(yard.Do([id](Txn& txn) { return Outcome(CancelWorkload(txn, id)); }));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopping);
  yard.engine().RefuseStops(std::nullopt);
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopped);
}

TEST(Driver, WhatHappenedWhileTheDiskWasFullIsRecordedAfterwards) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"true"})");
  yard.Run(id);
  yard.store().fail_with = Error{Code::kUnavailable, "disk full"};
  yard.End(id, EndCause::kExit, 7);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  yard.store().fail_with.reset();
  yard.Advance(Seconds(1));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
  EXPECT_EQ(yard.AttemptOf(id)->end->exit_code, 7);
}

TEST(Driver, NothingStartsOnADrainedNodeAndWhatRunsThereGoesOn) {
  YardFixture yard;
  WorkloadId first = yard.Submit("first", R"({"command":"true"})");
  NodeId node;
  yard.state()->Of<Node>().Each([&](const Node& one) { node = one.id; });
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Outcome(DrainNode(txn, node, {"new disk"})); }));
  WorkloadId second = yard.Submit("second", R"({"command":"true"})");
  EXPECT_EQ(yard.PhaseOf(second), Phase::kPending);
  yard.Run(first);
  EXPECT_EQ(yard.PhaseOf(first), Phase::kRunning);
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Outcome(ResumeNode(txn, node)); }));
  EXPECT_EQ(yard.PhaseOf(second), Phase::kInitializing);
}

TEST(Driver, ADrainStopsWhatStillRunsAtItsTimeAndEndsByItself) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"true"})");
  yard.Run(id);
  NodeId node;
  yard.state()->Of<Node>().Each([&](const Node& one) { node = one.id; });
  const Time now = yard.clock().Now();
  const DrainOrder order{"new disk", now + Minutes(5), now + Minutes(20)};
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Outcome(DrainNode(txn, node, order)); }));
  yard.Advance(Minutes(4));
  EXPECT_FALSE(yard.AttemptOf(id)->stop);
  yard.Advance(Minutes(1));
  ASSERT_TRUE(yard.AttemptOf(id)->stop);
  EXPECT_EQ(yard.AttemptOf(id)->stop->rule, "drain");
  yard.End(id, EndCause::kSignal, std::nullopt);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  yard.Advance(Minutes(14));
  EXPECT_TRUE(yard.state()->Find<Node>(node)->drain);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  yard.Advance(Minutes(1));
  EXPECT_FALSE(yard.state()->Find<Node>(node)->drain);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
}

TEST(Driver, ADrainThatStopsWorkNowDoesSoAndANewOrderTakesThePlaceOfTheOld) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", R"({"command":"true"})");
  yard.Run(id);
  NodeId node;
  yard.state()->Of<Node>().Each([&](const Node& one) { node = one.id; });
  const Time now = yard.clock().Now();
  const auto drain = [&](const DrainOrder& order) {
    return yard.Do([&](Txn& txn) { return Outcome(DrainNode(txn, node, order)); });
  };
  ASSERT_TRUE(drain({"new disk", std::nullopt, now + Minutes(5)}));
  ASSERT_TRUE(drain({"new disk"}));
  yard.Advance(Minutes(6));
  EXPECT_TRUE(yard.state()->Find<Node>(node)->drain);
  EXPECT_FALSE(yard.AttemptOf(id)->stop);
  ASSERT_TRUE(drain({"new disk", yard.clock().Now()}));
  yard.Settle();
  EXPECT_TRUE(yard.AttemptOf(id)->stop);
}

TEST(Driver, ANodeThatIsNotReadyTakesNothing) {
  YardFixture yard;
  yard.engine().SetReady("node0", false);
  yard.Settle();
  WorkloadId id = yard.Submit("train", R"({"command":"true"})");
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  yard.engine().SetReady("node0", true);
  yard.Settle();
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
}

TEST(Driver, WhatANodeLosesIsSeenWithoutBeingTold) {
  YardFixture yard;
  yard.engine().SetReadySilently("node0", false);
  yard.Advance(Seconds(11));
  WorkloadId id = yard.Submit("train", R"({"command":"true"})");
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
}

TEST(Driver, OneFailedRankEndsTheWholeGang) {
  YardFixture yard;
  WorkloadId id =
      yard.Submit("gang", R"({"command":"train","numWorkers":3})", WorkloadType::kDistributed);
  ASSERT_EQ(yard.AttemptOf(id)->places.size(), 3U);
  yard.Run(id);
  yard.clock().Advance(Seconds(5));
  yard.engine().End(yard.KeyOf(id, 1), EndCause::kExit, 9);
  yard.Settle();
  EXPECT_TRUE(yard.engine().Live().empty());
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
  EXPECT_EQ(yard.AttemptOf(id)->end->rank, 1);
  EXPECT_EQ(yard.Find(id)->phase_message, "Rank 1 exited with code 9.");
}

TEST(Driver, LogsAreFoundByAttemptAndRank) {
  YardFixture yard;
  WorkloadId id =
      yard.Submit("gang", R"({"command":"train","numWorkers":2})", WorkloadType::kDistributed);
  EXPECT_EQ(yard.driver().ReadLog({.workload = id, .rank = 1}, 0, 100)->bytes, "log of rank 1");
  EXPECT_EQ(yard.driver().ReadLog({.workload = id, .attempt = 7}, 0, 100).error().code,
            Code::kNotFound);
  EXPECT_EQ(yard.driver().ReadLog({.workload = id, .rank = 2}, 0, 100).error().code,
            Code::kNotFound);
}

}  // namespace
}  // namespace yard::control
