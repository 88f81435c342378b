#include "engine/sim/sim_world.h"

#include <gmock/gmock.h>

#include "engine/sim/sim_engine.h"

namespace yard::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class SimWorldTest : public ::testing::Test {
 protected:
  SimWorldTest() {
    engine_ = MakeSimEngine(world_);
    Listener listener;
    listener.on_task = [this](const TaskStatus& status) { states_.push_back(status.state); };
    listener.on_nodes = [this](const std::vector<NodeState>&) { ++node_changes_; };
    EXPECT_TRUE(engine_->Adopt(listener));
  }

  TaskKey Launch(const std::string& script) {
    TaskSpec spec;
    spec.key.rank = next_rank_++;
    spec.node = "a";
    spec.command = {"sh", "-c", script};
    EXPECT_TRUE(engine_->Launch(spec));
    return spec.key;
  }
  TaskStatus StatusOf(const TaskKey& key) { return engine_->StatusOf({&key, 1}).front(); }
  void Advance(Micros by) {
    clock_.Advance(by);
    world_->Run();
  }

  ManualClock clock_{Time{1'000'000'000}};
  std::shared_ptr<SimWorld> world_ = std::make_shared<SimWorld>(
      std::vector{SimNode("a", MilliCpu(4000), Mebibytes(1024))}, clock_);
  std::unique_ptr<Engine> engine_;
  std::vector<TaskState> states_;
  int node_changes_ = 0;
  std::int32_t next_rank_ = 0;
};

TEST_F(SimWorldTest, SaysWhatItIs) {
  EXPECT_EQ(engine_->capabilities().name, "sim");
  EXPECT_THAT(engine_->Nodes()->front().labels, ElementsAre(Pair("gpuyard.io/engine", "sim")));
}

TEST_F(SimWorldTest, TimePassesOnlyWhenItIsMoved) {
  const TaskKey key = Launch("sleep 5; exit 3");
  world_->Run();
  EXPECT_EQ(StatusOf(key).state, TaskState::kRunning);
  EXPECT_EQ(world_->NextDue(), clock_.Now() + Seconds(5));
  Advance(Seconds(4));
  EXPECT_EQ(StatusOf(key).state, TaskState::kRunning);
  Advance(Seconds(10));
  EXPECT_EQ(StatusOf(key).end->exit_code, 3);
  EXPECT_EQ(StatusOf(key).end->at, Time{1'000'000'000} + Seconds(5));
  EXPECT_THAT(states_, ElementsAre(TaskState::kRunning, TaskState::kEnded));
}

TEST_F(SimWorldTest, ALostNodeTakesItsTasksWithIt) {
  const TaskKey key = Launch("sleep 100");
  world_->Run();
  world_->LoseNode("a", "power failure");
  world_->Run();
  EXPECT_EQ(StatusOf(key).end->cause, EndCause::kNodeLost);
  EXPECT_EQ(StatusOf(key).end->message, "power failure");
  EXPECT_FALSE(engine_->Nodes()->front().ready);
  EXPECT_EQ(node_changes_, 1);
  TaskSpec spec;
  spec.key.rank = 99;
  spec.node = "a";
  spec.command = {"true"};
  EXPECT_EQ(engine_->Launch(spec).error().code, Code::kUnavailable);
  world_->RestoreNode("a");
  EXPECT_TRUE(engine_->Launch(spec));
}

TEST_F(SimWorldTest, LaunchesCanBeRefused) {
  world_->RefuseLaunches(Error{Code::kUnavailable, "the disk is full"});
  TaskSpec spec;
  spec.command = {"true"};
  EXPECT_EQ(engine_->Launch(spec).error().message, "the disk is full");
  EXPECT_EQ(StatusOf(spec.key).state, TaskState::kUnknown);
}

TEST_F(SimWorldTest, OutOfMemoryCanBeActed) {
  const TaskKey key = Launch("oom");
  world_->Run();
  EXPECT_EQ(StatusOf(key).end->cause, EndCause::kOutOfMemory);
}

TEST_F(SimWorldTest, ALoopSaysTheNumberOfTheRound) {
  const TaskKey key = Launch("repeat 3; sleep 1; echo step $i of 3; done; echo end");
  world_->Run();
  EXPECT_EQ(world_->NextEnd(), clock_.Now() + Seconds(3));
  Advance(Seconds(3));
  EXPECT_EQ(engine_->logs()->ReadLog(key, 0, 100)->bytes,
            "step 1 of 3\nstep 2 of 3\nstep 3 of 3\nend\n");
  EXPECT_EQ(StatusOf(key).state, TaskState::kEnded);
}

TEST_F(SimWorldTest, ABrokenGpuIsReportedUntilItIsHealed) {
  SimWorld world({SimNode("b", MilliCpu(1000), Mebibytes(1024), {{.uuid = "GPU-1"}})}, clock_);
  world.BreakGpu("GPU-1", "it fell off the bus");
  EXPECT_EQ(world.nodes()[0].gpus[0].fault, "it fell off the bus");
  world.BreakGpu("GPU-1", "");
  EXPECT_EQ(world.nodes()[0].gpus[0].fault, "");
}

// A world for demos, in which every program and image seems to run.
class PretendingWorldTest : public SimWorldTest {
 protected:
  PretendingWorldTest() {
    world_ = std::make_shared<SimWorld>(std::vector{SimNode("a", MilliCpu(4000), Mebibytes(1024))},
                                        clock_, Pretence::kAnyProgram);
    engine_ = MakeSimEngine(world_);
  }
  TaskStatus After(Micros span, TaskSpec spec) {
    spec.node = "a";
    EXPECT_TRUE(engine_->Launch(spec));
    Advance(span);
    return StatusOf(spec.key);
  }
};

TEST_F(PretendingWorldTest, AProgramSeemsToRunAndItsLogSaysThatItDoesNot) {
  TaskSpec spec;
  spec.container = Container{.image = "pytorch"};
  spec.command = {"python", "train.py"};
  EXPECT_EQ(After(Seconds(119), spec).state, TaskState::kRunning);
  EXPECT_EQ(After(Seconds(2), spec).end->cause, EndCause::kCompleted);
  EXPECT_THAT(engine_->logs()->ReadLog(spec.key, 0, 200)->bytes,
              ::testing::StartsWith("[simulated node] nothing is really run here: python"));
}

TEST_F(PretendingWorldTest, ARunningTaskSeemsToUseItsGpusAndNothingElseIsBusy) {
  NodeState node = SimNode("a", MilliCpu(4000), Mebibytes(1024));
  for (const char* uuid : {"GPU-1", "GPU-2"})
    node.gpus.push_back({.uuid = uuid, .memory = Mebibytes(1000)});
  SimWorld world({node}, clock_, Pretence::kAnyProgram);
  TaskSpec spec;
  spec.node = "a";
  spec.container = Container{.image = "jupyter"};
  spec.gpus = {{.uuid = "GPU-1", .part = MilliGpu(500)}};
  ASSERT_TRUE(world.Launch(spec));
  world.Run();
  clock_.Advance(Minutes(5));
  const TaskUsage before = world.UsageOf(spec.key);
  const std::vector<GpuState> gpus = world.nodes()[0].gpus;
  EXPECT_LE(*gpus[0].busy_percent, 50);
  EXPECT_GT(gpus[0].used->value, 0);
  EXPECT_LE(gpus[0].used->value, 500);
  EXPECT_EQ(*gpus[1].busy_percent, 0);
  EXPECT_GT(*before.gpu_percent, 0);
  clock_.Advance(Minutes(5));
  EXPECT_GT(world.UsageOf(spec.key).cpu, before.cpu);
  ASSERT_TRUE(world.Stop(spec.key, {.signal = 9}));
  EXPECT_EQ(*world.nodes()[0].gpus[0].busy_percent, 0);
  EXPECT_FALSE(world.UsageOf(spec.key).gpu_percent);
}

TEST_F(PretendingWorldTest, AnImageWithoutACommandRunsUntilItIsStopped) {
  TaskSpec spec;
  spec.container = Container{.image = "jupyter"};
  EXPECT_EQ(After(Days(3), spec).state, TaskState::kRunning);
}

TEST_F(PretendingWorldTest, TheScriptVariableDecidesWhatATaskDoes) {
  TaskSpec spec;
  spec.command = {"python", "train.py"};
  spec.variables = {{"SIM_SCRIPT", "echo CUDA out of memory; exit 7"}};
  EXPECT_EQ(After(Seconds(1), spec).end->exit_code, 7);
  spec.key.rank = 1;
  spec.variables = {{"SIM_SCRIPT", "refuse no such image"}};
  const TaskStatus refused = After(Seconds(1), spec);
  EXPECT_EQ(refused.end->cause, EndCause::kLaunchFailed);
  EXPECT_EQ(refused.end->message, "no such image");
}

}  // namespace
}  // namespace yard::engine
