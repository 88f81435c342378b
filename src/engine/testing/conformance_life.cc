// Clauses about launching, ending, stopping and adopting.
#include <algorithm>
#include <thread>

#include <gmock/gmock.h>

#include "engine/testing/conformance.h"

namespace yard::engine::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_P(Conformance, SaysItsNameAndHasANode) {
  EXPECT_FALSE(engine().capabilities().name.empty());
  Result<std::vector<NodeState>> nodes = engine().Nodes();
  ASSERT_TRUE(nodes);
  ASSERT_FALSE(nodes->empty());
  EXPECT_GT(nodes->front().cpu.value, 0);
  EXPECT_GT(nodes->front().memory.value, 0);
}

TEST_P(Conformance, ATaskStartsRunsAndCompletesInThatOrder) {
  const TaskKey key = LaunchShell("echo hello");
  const TaskEnd end = WaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kCompleted);
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_FALSE(end.signal);
  EXPECT_THAT(recorder().Heard(key), ElementsAre(TaskState::kRunning, TaskState::kEnded));
  const TaskStatus status = StatusOf(key);
  EXPECT_EQ(status.state, TaskState::kEnded);
  ASSERT_TRUE(status.started_at);
  EXPECT_LE(*status.started_at, end.at);
  EXPECT_EQ(WholeLog(key), "hello\n");
}

TEST_P(Conformance, LaunchingAgainWhileItRunsChangesNothing) {
  TaskSpec spec = host().Shell("echo once; sleep 100");
  spec.key = NewKey();
  ASSERT_TRUE(engine().Launch(spec));
  WaitRunning(spec.key);
  ASSERT_TRUE(engine().Launch(spec));
  WaitLog(spec.key, "once");
  ASSERT_TRUE(engine().Stop(spec.key, {15, Seconds(20)}));
  WaitEnd(spec.key);
  EXPECT_EQ(WholeLog(spec.key), "once\n");
  EXPECT_THAT(recorder().Heard(spec.key), ElementsAre(TaskState::kRunning, TaskState::kEnded));
}

TEST_P(Conformance, LaunchingAgainAfterTheEndChangesNothing) {
  TaskSpec spec = host().Shell("echo once; exit 4");
  spec.key = NewKey();
  ASSERT_TRUE(engine().Launch(spec));
  WaitEnd(spec.key);
  ASSERT_TRUE(engine().Launch(spec));
  Restart();
  ASSERT_TRUE(engine().Launch(spec));
  EXPECT_EQ(StatusOf(spec.key).state, TaskState::kEnded);
  EXPECT_EQ(StatusOf(spec.key).end->exit_code, 4);
  EXPECT_EQ(WholeLog(spec.key), "once\n");
}

TEST_P(Conformance, ManyThreadsLaunchingOneKeyStartItOnce) {
  TaskSpec spec = host().Shell("echo once");
  spec.key = NewKey();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { EXPECT_TRUE(engine().Launch(spec)); });
  for (std::thread& thread : threads) thread.join();
  WaitEnd(spec.key);
  EXPECT_EQ(WholeLog(spec.key), "once\n");
}

TEST_P(Conformance, AMissingProgramIsAFailedLaunchThatNamesIt) {
  TaskSpec spec = host().Shell("");
  spec.command = {"/no/such/program"};
  spec.args = {};
  const TaskEnd end = WaitEnd(Launch(spec));
  EXPECT_EQ(end.cause, EndCause::kLaunchFailed);
  EXPECT_THAT(end.message, HasSubstr("/no/such/program"));
  EXPECT_FALSE(end.exit_code);
}

TEST_P(Conformance, TheExitCodeIsTheCommands) {
  for (const int code : {1, 3, 127, 255}) {
    const TaskEnd end = WaitEnd(LaunchShell("exit " + std::to_string(code)));
    EXPECT_EQ(end.cause, EndCause::kExit);
    EXPECT_EQ(end.exit_code, code);
  }
}

TEST_P(Conformance, DeathByASignalNamesTheSignal) {
  const TaskEnd end = WaitEnd(LaunchShell(host().KillSelf()));
  EXPECT_EQ(end.cause, EndCause::kSignal);
  EXPECT_EQ(end.signal, 9);
  EXPECT_FALSE(end.exit_code);
}

TEST_P(Conformance, StopEndsATaskByTheSignalAndMayBeRepeated) {
  const TaskKey key = LaunchShell("sleep 100");
  WaitRunning(key);
  ASSERT_TRUE(engine().Stop(key, {15, Seconds(20)}));
  const Status again = engine().Stop(key, {15, Seconds(20)});
  ASSERT_TRUE(again) << again.error().message;
  const TaskEnd end = WaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kSignal);
  EXPECT_EQ(end.signal, 15);
  EXPECT_TRUE(engine().Stop(key, {15, Seconds(20)}));
}

TEST_P(Conformance, ATaskThatIgnoresTheSignalIsKilledAfterTheGrace) {
  const TaskKey key = LaunchShell("trap '' TERM; echo deaf; sleep 100; sleep 100");
  WaitLog(key, "deaf");
  ASSERT_TRUE(engine().Stop(key, {15, Micros(200'000)}));
  const TaskEnd end = WaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kSignal);
  EXPECT_EQ(end.signal, 9);
}

TEST_P(Conformance, WithoutGraceATaskIsKilledAtOnce) {
  const TaskKey key = LaunchShell("trap '' TERM; echo deaf; sleep 100");
  WaitLog(key, "deaf");
  ASSERT_TRUE(engine().Stop(key, {15, Micros(0)}));
  EXPECT_EQ(WaitEnd(key).signal, 9);
}

TEST_P(Conformance, AStopRightAfterTheLaunchIsNotLost) {
  const TaskKey key = LaunchShell("sleep 100");
  ASSERT_TRUE(engine().Stop(key, {15, Seconds(1)}));
  EXPECT_NE(WaitEnd(key).cause, EndCause::kCompleted);
}

TEST_P(Conformance, WhatIsNotKnownIsUnknown) {
  const TaskKey key = NewKey();
  EXPECT_EQ(StatusOf(key).state, TaskState::kUnknown);
  EXPECT_EQ(engine().Stop(key, {}).error().code, Code::kNotFound);
  EXPECT_EQ(engine().logs()->ReadLog(key, 0, 10).error().code, Code::kNotFound);
  engine().Forget(key);
}

TEST_P(Conformance, WorkWithoutAGpuIsNotTakenOffOne) {
  const TaskKey key = LaunchShell("sleep 100");
  WaitRunning(key);
  const Capabilities can = engine().capabilities();
  EXPECT_NE(can.parking, !can.parking_missing.empty()) << "if it cannot at all it says why";
  const Result<Checkpoint*> checkpoint = Offered(engine(), engine().checkpoint());
  const Status parked = checkpoint ? (*checkpoint)->Park(key) : Fail(checkpoint.error());
  ASSERT_FALSE(parked);
  EXPECT_EQ(parked.error().code, can.parking ? Code::kPrecondition : Code::kUnsupported);
  EXPECT_EQ(StatusOf(key).state, TaskState::kRunning);
}

TEST_P(Conformance, TheTasksOfAnAttemptAreLaunchedAndStoppedTogether) {
  std::vector<TaskSpec> gang(2, host().Shell("sleep 100"));
  gang[0].key = NewKey();
  gang[1].key = NewKey();
  const std::vector<TaskKey> keys = {gang[0].key, gang[1].key};
  for (const Status& launched : engine().LaunchGang(gang)) EXPECT_TRUE(launched);
  for (const TaskKey& key : keys) WaitRunning(key);
  for (const Status& stopped : engine().StopMany(keys, {15, Seconds(20)})) EXPECT_TRUE(stopped);
  for (const TaskKey& key : keys) EXPECT_EQ(WaitEnd(key).signal, 15);
}

TEST_P(Conformance, StatusOfManyAnswersInOrder) {
  const TaskKey ended = LaunchShell("exit 2");
  const TaskKey running = LaunchShell("sleep 100");
  const TaskKey unknown = NewKey();
  WaitEnd(ended);
  WaitRunning(running);
  const std::vector<TaskKey> keys = {unknown, running, ended};
  const std::vector<TaskStatus> all = engine().StatusOf(keys);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].state, TaskState::kUnknown);
  EXPECT_EQ(all[1].state, TaskState::kRunning);
  EXPECT_EQ(all[2].state, TaskState::kEnded);
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(all[i].key, keys[i]);
}

TEST_P(Conformance, ARunningTaskIsNotForgotten) {
  const TaskKey key = LaunchShell("sleep 100");
  WaitRunning(key);
  engine().Forget(key);
  EXPECT_EQ(StatusOf(key).state, TaskState::kRunning);
}

TEST_P(Conformance, AForgottenTaskIsGoneAlsoAfterARestart) {
  const TaskKey key = LaunchShell("echo x");
  WaitEnd(key);
  engine().Forget(key);
  EXPECT_EQ(StatusOf(key).state, TaskState::kUnknown);
  EXPECT_EQ(engine().logs()->ReadLog(key, 0, 10).error().code, Code::kNotFound);
  Restart();
  EXPECT_EQ(StatusOf(key).state, TaskState::kUnknown);
}

TEST_P(Conformance, ARunningTaskIsAdoptedAfterARestart) {
  const TaskKey key = LaunchShell("echo before; sleep 100");
  WaitLog(key, "before");
  const Time started = *WaitRunning(key).started_at;
  const std::vector<TaskStatus> adopted = Restart();
  ASSERT_EQ(adopted.size(), 1U);
  EXPECT_EQ(adopted[0].state, TaskState::kRunning);
  EXPECT_EQ(adopted[0].started_at, started);
  ASSERT_TRUE(engine().Stop(key, {15, Seconds(20)}));
  EXPECT_EQ(WaitEnd(key).signal, 15);
  EXPECT_EQ(WholeLog(key), "before\n");
}

TEST_P(Conformance, AnEndThatCameWhileNobodyListenedIsKnown) {
  const TaskKey key = LaunchShell("sleep 0.2; exit 7");
  WaitRunning(key);
  Close();
  Open();
  const TaskEnd end = WaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kExit);
  EXPECT_EQ(end.exit_code, 7);
}

TEST_P(Conformance, RanksOfOneAttemptAreTasksOfTheirOwn) {
  TaskSpec first = host().Shell("exit 1");
  first.key = NewKey();
  TaskSpec second = host().Shell("exit 2");
  second.key = NewKey();
  ASSERT_TRUE(engine().Launch(first));
  ASSERT_TRUE(engine().Launch(second));
  EXPECT_EQ(WaitEnd(first.key).exit_code, 1);
  EXPECT_EQ(WaitEnd(second.key).exit_code, 2);
}

}  // namespace
}  // namespace yard::engine::testing
