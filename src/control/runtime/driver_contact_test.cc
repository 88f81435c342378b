// An engine that is far away: out of contact at the start or later, with a queue of its own, and
// launched in gangs.
#include <algorithm>

#include <gtest/gtest.h>

#include "control/commands/workloads.h"
#include "control/dispatch/inbox.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

const Error kNoAnswer{Code::kUnavailable, "the login node does not answer"};

WorkloadId RunningWork(YardFixture& yard, const std::string& name) {
  WorkloadId id = yard.Submit(name, R"({"command":"x","compute":{"gpuDevicesRequest":1}})");
  yard.Run(id);
  return id;
}

std::string NodeReason(const YardFixture& yard) {
  std::string reason;
  yard.state()->Of<Node>().Each([&](const Node& node) { reason = node.conditions.front().reason; });
  return reason;
}

TEST(Contact, WorkOfALostClusterIsShownAsItWasAndSaysSo) {
  YardFixture yard;
  const WorkloadId id = RunningWork(yard, "train");
  yard.engine().LoseContact(kNoAnswer);
  yard.Settle();
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  EXPECT_EQ(yard.ReasonOf(id), "OutOfContact");
  EXPECT_TRUE(yard.MessageOf(id).contains("the login node does not answer"));
  EXPECT_EQ(NodeReason(yard), "OutOfContact");
}

TEST(Contact, NothingIsLostHoweverLongTheSilence) {
  YardFixture yard;
  const WorkloadId id = RunningWork(yard, "train");
  yard.engine().LoseContact(kNoAnswer);
  for (int i = 0; i < 5; ++i) yard.Advance(Minutes(60));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  yard.engine().LoseContact(std::nullopt);
  yard.Settle();
  EXPECT_EQ(yard.ReasonOf(id), "Running");
  EXPECT_EQ(NodeReason(yard), "EngineReady");
  yard.End(id);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kCompleted);
  EXPECT_EQ(yard.engine().launches(), 1U);
}

TEST(Contact, AnEndDuringTheSilenceIsRecordedWhenTheClusterIsBack) {
  YardFixture yard;
  const WorkloadId id = RunningWork(yard, "train");
  yard.engine().LoseContact(kNoAnswer);
  yard.engine().End(yard.KeyOf(id), EndCause::kExit, 7);
  yard.Advance(Minutes(10));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  yard.engine().LoseContact(std::nullopt);
  yard.Settle();
  EXPECT_EQ(yard.PhaseOf(id), Phase::kFailed);
  EXPECT_EQ(yard.AttemptOf(id)->end->exit_code, 7);
}

TEST(Contact, NoWorkIsPlacedOnALostClusterUntilItIsBack) {
  YardFixture yard;
  yard.engine().LoseContact(kNoAnswer);
  yard.Settle();
  const WorkloadId id = yard.Submit("late", R"({"command":"x"})");
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  EXPECT_EQ(yard.ReasonOf(id), "OutOfContact");
  yard.engine().LoseContact(std::nullopt);
  yard.Settle();
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
}

TEST(Contact, ASilentLossIsNoticedByTheNextLookAtTheNodes) {
  YardFixture yard;
  const WorkloadId id = RunningWork(yard, "train");
  yard.engine().LoseContactSilently(kNoAnswer);
  yard.Advance(Seconds(11));
  EXPECT_EQ(yard.ReasonOf(id), "OutOfContact");
  yard.engine().LoseContactSilently(std::nullopt);
  yard.Advance(Seconds(11));
  EXPECT_EQ(yard.ReasonOf(id), "Running");
}

TEST(Contact, AnOldAnswerDoesNotContradictTheWordThatTheClusterIsBack) {
  YardFixture yard;
  const WorkloadId id = RunningWork(yard, "train");
  yard.engine().LoseContactSilently(kNoAnswer);
  // The cluster is back, and says so, while the answer that it is not there is on its way.
  yard.engine().BeforeNodesAnswer([&] {
    yard.engine().BeforeNodesAnswer(nullptr);
    yard.engine().LoseContact(std::nullopt);
  });
  yard.Advance(Seconds(11));
  EXPECT_EQ(yard.ReasonOf(id), "Running");
  EXPECT_EQ(NodeReason(yard), "EngineReady");
}

TEST(Contact, AClusterThatWasAwayForAMomentIsAskedForItsNews) {
  Inbox inbox;
  Append(inbox, {.lost = kNoAnswer});
  Append(inbox, {.nodes = std::vector<engine::NodeState>()});
  EXPECT_TRUE(inbox.came_back);
  EXPECT_FALSE(inbox.lost);
}

TEST(Contact, AnOrderToStopReachesTheClusterWhenItIsBack) {
  YardFixture yard;
  const WorkloadId id = RunningWork(yard, "train");
  yard.engine().LoseContact(kNoAnswer);
  ASSERT_TRUE(yard.Do(
      [&](Txn& txn) { return Outcome(SuspendWorkload(txn, id, WorkloadType::kTraining)); }));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopping);
  yard.engine().LoseContact(std::nullopt);
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kStopped);
}

TEST(Contact, AServerStartsWithoutItsEngineAndAdoptsWhatRunsLater) {
  YardFixture yard;
  const WorkloadId runs = RunningWork(yard, "train");
  yard.engine().LoseContactSilently(kNoAnswer);
  yard.Restart();
  EXPECT_EQ(yard.PhaseOf(runs), Phase::kRunning);
  EXPECT_EQ(yard.ReasonOf(runs), "OutOfContact");
  const WorkloadId waits = yard.Submit("late", R"({"command":"x"})");
  EXPECT_EQ(yard.ReasonOf(waits), "OutOfContact");
  yard.engine().LoseContactSilently(std::nullopt);
  yard.Advance(Seconds(1));
  EXPECT_EQ(yard.ReasonOf(runs), "Running");
  EXPECT_EQ(yard.PhaseOf(waits), Phase::kInitializing);
  EXPECT_EQ(yard.engine().launches(), 2U);
}

class FarAway : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(FarAway, AllWorkRunsOnceWhateverTheNetworkDoesToCallsAndNews) {
  YardFixture yard({.nodes = 2, .gpus = 4, .far = GetParam()});
  yard.engine().Behave(FakeEngine::OnLaunch::kComplete, FakeEngine::OnStop::kEnd);
  std::vector<WorkloadId> all;
  for (int i = 0; i < 12; ++i) {
    all.push_back(yard.Submit("w" + std::to_string(i),
                              R"({"command":"x","compute":{"gpuDevicesRequest":3}})"));
  }
  auto ended = [&] {
    return std::ranges::all_of(all, [&](WorkloadId id) { return IsFinal(yard.Find(id)->life); });
  };
  for (int i = 0; i < 60 && !ended(); ++i) yard.Advance(Seconds(15));
  for (WorkloadId id : all) {
    EXPECT_EQ(yard.PhaseOf(id), Phase::kCompleted);
    EXPECT_EQ(yard.AttemptOf(id)->number, 1);
  }
  EXPECT_EQ(yard.engine().launches(), all.size());
}

INSTANTIATE_TEST_SUITE_P(Seeds, FarAway, ::testing::Values(1, 2, 3, 4));

TEST(EngineQueue, WorkQueuedAtTheEngineDoesNotRunAndCostsNoGpuTime) {
  YardFixture yard;
  yard.engine().Behave(FakeEngine::OnLaunch::kQueue, FakeEngine::OnStop::kEnd);
  const WorkloadId id =
      yard.Submit("train", R"({"command":"x","compute":{"gpuDevicesRequest":2}})");
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
  EXPECT_EQ(yard.ReasonOf(id), "QueuedAtEngine");
  yard.Advance(Minutes(90));
  EXPECT_EQ(HeldFrom(*yard.AttemptOf(id), yard.clock().Now()), yard.clock().Now());
  yard.Run(id);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  EXPECT_EQ(yard.ReasonOf(id), "Running");
  EXPECT_EQ(HeldFrom(*yard.AttemptOf(id), yard.clock().Now()), *yard.AttemptOf(id)->started_at);
}

TEST(Gangs, TheTasksOfAnAttemptAreLaunchedByOneCall) {
  YardFixture yard({.nodes = 2, .gpus = 4});
  Workload draft = yard.Draft("gang", R"({"command":"x","compute":{"gpuDevicesRequest":1}})",
                              WorkloadType::kDistributed);
  draft.request.pods = 6;
  WorkloadId id;
  ASSERT_TRUE(yard.TrySubmit(std::move(draft), &id));
  EXPECT_EQ(yard.engine().launches(), 6U);
  EXPECT_EQ(yard.engine().gangs(), 1U);
}

}  // namespace
}  // namespace yard::control
