// What becomes of jobs on a real Slurm beyond the clauses of all engines: causes of ends, nodes,
// refusals. In the suite SlurmFaults daemons of the cluster are killed and nodes taken out of
// service, so nothing runs beside it.
#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/random.h"
#include "base/strings.h"
#include "base/uuid.h"
#include "engine/slurm/words.h"
#include "tests/slurm/slurm_host.h"

namespace yard::engine::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SlurmEngine : public ::testing::Test {
 protected:
  void SetUp() override { Open(); }
  void TearDown() override {
    for (const TaskKey& key : keys_) {
      (void)engine_->Stop(key, {9, Micros(0)});
      recorder_->WaitFor(key, TaskState::kEnded);
      engine_->Forget(key);
    }
    engine_.reset();
    EXPECT_THAT(host_.Leftovers(), IsEmpty());
  }

  void Open() {
    recorder_ = std::make_unique<Recorder>();
    engine_ = host_.Open();
    ASSERT_TRUE(engine_);
    Result<std::vector<TaskStatus>> adopted = engine_->Adopt(recorder_->listener());
    ASSERT_TRUE(adopted) << adopted.error().message;
    recorder_->Note(*adopted);
  }
  void Restart() {
    engine_.reset();
    Open();
  }

  static TaskKey NewKey() { return {AttemptId(MakeUuid(SystemClock().Now(), SystemRandom())), 0}; }
  TaskKey Launch(TaskSpec spec) {
    spec.key = NewKey();
    Status launched = engine_->Launch(spec);
    EXPECT_TRUE(launched) << launched.error().message;
    keys_.insert(spec.key);
    return spec.key;
  }
  TaskKey LaunchShell(const std::string& script) { return Launch(host_.Shell(script)); }
  void WaitRunning(const TaskKey& key) { recorder_->WaitFor(key, TaskState::kRunning); }
  TaskEnd WaitEnd(const TaskKey& key) {
    return recorder_->WaitFor(key, TaskState::kEnded).end.value_or(TaskEnd{});
  }
  static std::string JobOf(const TaskKey& key) {
    return std::string(
        Trim(RunHere({"squeue", "--noheader", "--name=" + slurm::JobName(key), "--format=%A"})));
  }
  std::string Log(const TaskKey& key) {
    Result<LogChunk> chunk = engine_->logs()->ReadLog(key, 0, 10'000);
    EXPECT_TRUE(chunk);
    return chunk ? chunk->bytes : "";
  }
  NodeState NodeNamed(const std::string& name) {
    Result<std::vector<NodeState>> nodes = engine_->Nodes();
    EXPECT_TRUE(nodes);
    for (NodeState& node : *nodes)
      if (node.name == name) return node;
    ADD_FAILURE() << "no node " << name;
    return {};
  }

  SlurmHost host_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Engine> engine_;
  std::set<TaskKey> keys_;
};

class SlurmFaults : public SlurmEngine {};

TEST_F(SlurmEngine, FourNodesHaveEightGpusEach) {
  Result<std::vector<NodeState>> nodes = engine_->Nodes();
  ASSERT_TRUE(nodes);
  ASSERT_EQ(nodes->size(), 4U);
  for (const NodeState& node : *nodes) EXPECT_EQ(node.gpus.size(), 8U) << node.name;
  EXPECT_EQ(nodes->front().gpus.front().model, "a100");
  EXPECT_EQ(nodes->back().gpus.front().model, "h100");
}

TEST_F(SlurmEngine, AJobRunsOnItsNodeWithItsGpus) {
  TaskSpec spec = host_.Shell("echo $SLURMD_NODENAME $SLURM_JOB_NODELIST $CUDA_VISIBLE_DEVICES");
  spec.node = "n3";
  const NodeState node = NodeNamed("n3");
  for (int i = 0; i < 2; ++i)
    spec.gpus.push_back({node.gpus[static_cast<std::size_t>(i)].uuid, MilliGpu(1000), {}});
  const TaskKey key = Launch(spec);
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_THAT(Log(key), HasSubstr("n3 n3 "));
  EXPECT_THAT(Log(key), HasSubstr(","));
}

TEST_F(SlurmEngine, NamesWithQuotesSpacesAndLinesAreHarmless) {
  TaskSpec spec = host_.Shell("printf %s \"$1\"");
  const std::string odd = "it's \"a\"\n$(touch /tmp/gpuyard-slurm-odd) `id` \\ | ;";
  spec.title = odd;
  spec.args.push_back("zero");
  spec.args.push_back(odd);
  const TaskKey key = Launch(spec);
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_EQ(Log(key), odd);
}

TEST_F(SlurmEngine, AJobThatWasCancelledBehindOurBackSaysSo) {
  const TaskKey key = LaunchShell("sleep 100");
  WaitRunning(key);
  RunHere({"scancel", JobOf(key)});
  const TaskEnd end = WaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kCancelled) << end.message;
  EXPECT_THAT(end.message, HasSubstr("not by Gpuyard"));
}

TEST_F(SlurmEngine, APreemptedJobSaysSo) {
  host_.options().submit.partition = "low";
  Restart();
  TaskSpec spec = host_.Shell("sleep 100");
  spec.node = "n2";
  spec.limits.cpu = MilliCpu(64'000);
  const TaskKey key = Launch(spec);
  WaitRunning(key);
  const std::string winner(
      Trim(RunHere({"sbatch", "--parsable", "--partition=high", "--nodelist=n2",
                    "--cpus-per-task=64", "--output=/dev/null", "--chdir=/", "--wrap=sleep 100"})));
  const TaskEnd end = WaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kPreempted) << end.message;
  RunHere({"scancel", winner});
}

TEST_F(SlurmEngine, WhatSlurmRefusesIsAFailedLaunchInItsWords) {
  host_.options().submit.partition = "nope";
  Restart();
  const TaskEnd end = WaitEnd(LaunchShell("true"));
  EXPECT_EQ(end.cause, EndCause::kLaunchFailed);
  EXPECT_THAT(end.message, HasSubstr("partition"));
}

TEST_F(SlurmFaults, ADrainedNodeIsNotReadyAndSaysWhy) {
  RunHere({"scontrol", "update", "nodename=n4", "state=drain", "reason=bad fan"});
  const NodeState node = NodeNamed("n4");
  RunHere({"scontrol", "update", "nodename=n4", "state=resume"});
  EXPECT_FALSE(node.ready);
  EXPECT_THAT(node.message, HasSubstr("bad fan"));
}

TEST_F(SlurmEngine, AHundredJobsEndOnceEach) {
  std::vector<TaskKey> keys;
  std::vector<std::thread> threads;
  std::mutex mutex;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        TaskSpec spec = host_.Shell("exit 0");
        spec.node = fmt::format("n{}", t + 1);
        spec.key = NewKey();
        EXPECT_TRUE(engine_->Launch(spec));
        std::lock_guard hold(mutex);
        keys.push_back(spec.key);
      }
    });
  for (std::thread& thread : threads) thread.join();
  keys_.insert(keys.begin(), keys.end());
  for (const TaskKey& key : keys) {
    EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
    EXPECT_EQ(std::ranges::count(recorder_->Heard(key), TaskState::kEnded), 1);
  }
}

TEST_F(SlurmFaults, AControllerThatIsAwayLosesAndDoublesNothing) {
  std::vector<TaskKey> running;
  for (int i = 0; i < 8; ++i) running.push_back(LaunchShell("echo once; sleep 6; exit 3"));
  for (const TaskKey& key : running) WaitRunning(key);
  Lab("down", "slurmctld");
  TaskSpec late = host_.Shell("echo late");
  late.key = NewKey();
  const Status refused = engine_->Launch(late);
  ASSERT_FALSE(refused) << "nobody is there to take it";
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  Restart();
  Lab("up", "slurmctld");
  ASSERT_TRUE(engine_->Launch(late));
  keys_.insert(late.key);
  EXPECT_EQ(WaitEnd(late.key).cause, EndCause::kCompleted);
  EXPECT_EQ(Log(late.key), "late\n");
  for (const TaskKey& key : running) {
    EXPECT_EQ(WaitEnd(key).exit_code, 3);
    EXPECT_EQ(Log(key), "once\n");
  }
}

}  // namespace
}  // namespace yard::engine::testing
