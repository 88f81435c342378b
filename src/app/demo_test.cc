#include "app/demo.h"

#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "app/identity.h"
#include "base/random.h"
#include "control/service.h"
#include "demo/fill.h"
#include "demo/work.h"
#include "store/sqlite/sqlite_store.h"

namespace yard::app {
namespace {

namespace fs = std::filesystem;

class DemoTest : public ::testing::Test {
 protected:
  DemoTest() { fs::remove_all(path_); }
  ~DemoTest() override { fs::remove_all(path_); }

  // What a server would find in the directory.
  std::unique_ptr<control::Service> Open() const {
    auto store = store::OpenSqlite(path_);
    EXPECT_TRUE(store.has_value());
    return *control::Service::Start(*std::move(store), SystemClock(), SystemRandom());
  }
  Result<demo::Stage> Fill(std::int64_t workloads, const demo::PastOptions& past) const {
    EXPECT_TRUE(ClearDemoDirectory(path_));
    return demo::Fill({.data_dir = path_,
                       .open_accounts = [this](control::Service& service) -> Result<std::string> {
                         YARD_ASSIGN(auto identity,
                                     Identity::Open(path_, service, "correct-horse"));
                         return identity->signing().Hash("correct-horse");
                       },
                       .workloads = workloads,
                       .past = past,
                       .now = SystemClock().Now()});
  }

  const std::string path_ = ::testing::TempDir() + "gpuyard-demo-test";
};

std::map<Phase, int> PhasesOf(const control::State& state) {
  std::map<Phase, int> phases;
  state.Of<Workload>().Each([&](const Workload& workload) { ++phases[workload.phase()]; });
  return phases;
}

TEST_F(DemoTest, ADirectoryThatNoDemoMadeIsLeftAlone) {
  fs::create_directories(path_);
  std::ofstream(path_ + "/gpuyard.db") << "a lab's data";
  Status cleared = ClearDemoDirectory(path_);
  ASSERT_FALSE(cleared);
  EXPECT_EQ(cleared.error().code, Code::kConflict);
  EXPECT_EQ(fs::file_size(path_ + "/gpuyard.db"), 12U);
}

TEST_F(DemoTest, TheNextDemoTakesTheDirectoryOfTheLast) {
  ASSERT_TRUE(ClearDemoDirectory(path_));
  std::ofstream(path_ + "/left-over") << "x";
  ASSERT_TRUE(ClearDemoDirectory(path_));
  EXPECT_FALSE(fs::exists(path_ + "/left-over"));
  EXPECT_TRUE(fs::exists(path_ + "/" + std::string(kDemoMark)));
}

TEST_F(DemoTest, TheDirectoryOfADemoThatRunsIsRefused) {
  ASSERT_TRUE(ClearDemoDirectory(path_));
  auto running = Open();
  Status cleared = ClearDemoDirectory(path_);
  ASSERT_FALSE(cleared);
  EXPECT_NE(cleared.error().message.find("in use"), std::string::npos);
}

TEST_F(DemoTest, TheLabHasWorkThatRunsWaitsHasEndedAndHasFailed) {
  ASSERT_TRUE(Fill(0, {.length = Hours(10), .jobs = 90}));
  auto service = Open();
  control::Snapshot state = service->Read();
  std::map<Phase, int> phases = PhasesOf(*state);
  EXPECT_GT(phases[Phase::kRunning], 5);
  EXPECT_GT(phases[Phase::kPending], 2);
  EXPECT_GT(phases[Phase::kCompleted], 5);
  EXPECT_GT(phases[Phase::kFailed], 1);
  EXPECT_EQ(phases[Phase::kStopped], 1);
  state->Of<Workload>().Each([&](const Workload& workload) {
    EXPECT_FALSE(workload.phase_message.empty()) << workload.name;
    EXPECT_NE(workload.stamp.created_by, "system");
  });
  EXPECT_TRUE(state->Find<yard::Setting>("message-of-the-day"));
}

TEST_F(DemoTest, EveryNodeOfTheLabIsSimulated) {
  ASSERT_TRUE(Fill(0, {.length = Minutes(1), .jobs = 0}));
  auto service = Open();
  std::size_t nodes = 0;
  service->Read()->Of<Node>().Each([&](const Node& node) {
    ++nodes;
    EXPECT_EQ(node.engine, "sim");
    EXPECT_EQ(node.labels.at("gpuyard.io/engine"), "sim");
  });
  EXPECT_EQ(nodes, demo::kUsualNodes);
}

TEST_F(DemoTest, WhatRanWhenThePastEndedRunsOnInTheWorld) {
  Result<demo::Stage> stage = Fill(0, {.length = Hours(3), .jobs = 20});
  ASSERT_TRUE(stage);
  auto service = Open();
  int running = 0;
  service->Read()->Of<Attempt>().Each([&](const Attempt& attempt) {
    if (attempt.end || !attempt.started_at) return;
    ++running;
    EXPECT_EQ(stage->world->StatusOf({attempt.id, 0}).state, engine::TaskState::kRunning);
  });
  EXPECT_GT(running, 3);
}

TEST_F(DemoTest, AnArchiveOfEndedWorkIsAddedUntilThereAreEnough) {
  ASSERT_TRUE(Fill(3000, {.length = Minutes(5), .jobs = 10, .grain = Minutes(5)}));
  auto service = Open();
  control::Snapshot state = service->Read();
  std::map<Phase, int> phases = PhasesOf(*state);
  EXPECT_GE(state->Of<Workload>().size(), 3000U);
  EXPECT_GT(phases[Phase::kCompleted], 2000);
  EXPECT_GT(phases[Phase::kFailed], 200);
  Ptr<Workload> old;
  state->Of<Workload>().Each([&](const Workload& workload) {
    if (workload.phase() == Phase::kFailed) old = state->Find<Workload>(workload.id);
  });
  ASSERT_TRUE(old);
  EXPECT_TRUE(state->Find<Attempt>(*old->attempt)->end.has_value());
  EXPECT_EQ(service->ReadEvents(old->id, 0, 10)->front().reason, "Failed");
}

TEST(DemoWork, TheStreamRepeatsItselfForTheSameSeed) {
  demo::WorkStream one(5);
  demo::WorkStream other(5);
  for (int i = 0; i < 20; ++i) {
    demo::Submission job = one.Next();
    EXPECT_EQ(job.spec, other.Next().spec);
    EXPECT_NE(job.spec.find("SIM_SCRIPT"), std::string::npos);
  }
}

}  // namespace
}  // namespace yard::app
