#include "control/sched/wait_notes.h"

#include <atomic>

#include <gtest/gtest.h>

#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

std::string Gpus(int count) {
  return R"({"command":"x","compute":{"gpuDevicesRequest":)" + std::to_string(count) + "}}";
}

TEST(Waiting, IsDerivedAndCostsNoJournalRow) {
  YardFixture yard;
  std::vector<WorkloadId> running;
  for (int i = 0; i < 4; ++i) running.push_back(yard.Submit("r" + std::to_string(i), Gpus(1)));
  for (WorkloadId id : running) yard.Run(id);
  std::vector<WorkloadId> waiting;
  for (int i = 0; i < 200; ++i) waiting.push_back(yard.Submit("w" + std::to_string(i), Gpus(3)));
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.MessageOf(waiting.back()), "Pool default has 0 GPU free, 3 GPU requested.");

  std::atomic<int> rows = 0;
  auto watching = yard.service().Watch([&](const Notice&) { ++rows; });
  for (int second = 0; second < 60; ++second) yard.Advance(Seconds(1));
  EXPECT_EQ(rows, 0) << "nothing happened";

  // The reasons of all change, and are told; only what ended is written down.
  yard.End(running.front());
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.MessageOf(waiting.back()), "Pool default has 1 GPU free, 3 GPU requested.");
  EXPECT_LE(rows, 6);
}

TEST(Waiting, SaysWhatWhySays) {
  YardFixture yard;
  yard.Run(yard.Submit("r", Gpus(4)));
  const WorkloadId waits = yard.Submit("waits", Gpus(2));
  const WorkloadId never = yard.Submit("never", Gpus(9));
  const WorkloadId held = yard.Submit("held", R"({"command":"x","hold":true})");
  for (WorkloadId id : {waits, never, held}) {
    const Result<Why> why = yard.driver().Explain(id);
    ASSERT_TRUE(why.has_value());
    EXPECT_EQ(yard.ReasonOf(id), why->reason);
    EXPECT_EQ(yard.MessageOf(id), (why->never ? "It can never run here. " : "") + why->message);
  }
  EXPECT_EQ(yard.ReasonOf(never), "NodeTooSmall");
  EXPECT_TRUE(yard.MessageOf(never).starts_with("It can never run here. "));
}

TEST(Waiting, IsKnownAgainAfterARestart) {
  YardFixture yard;
  yard.Run(yard.Submit("r", Gpus(4)));
  const WorkloadId waits = yard.Submit("waits", Gpus(2));
  EXPECT_EQ(yard.ReasonOf(waits), "Gpus");
  yard.Restart();
  yard.Advance(Seconds(2));
  EXPECT_EQ(yard.ReasonOf(waits), "Gpus");
}

TEST(Waiting, NamesEverythingItWaitsForBesideAPlace) {
  YardFixture yard;
  yard.Run(yard.Submit("a", Gpus(1)));
  yard.Run(yard.Submit("b", Gpus(1)));
  const WorkloadId id = yard.Submit("c", R"({"command":"x","hold":true,"dependsOn":[
      {"workload":"a","condition":"ok"},{"workload":"b","condition":"any"}]})");
  const SharedBoard board = yard.driver().Waiting();
  const WaitNote* note = board->Find(*yard.Find(id));
  ASSERT_NE(note, nullptr);
  ASSERT_EQ(note->causes.size(), 3U);
  EXPECT_EQ(note->causes[0].reason, "Held");
  EXPECT_EQ(note->causes[1].message, "Waits until 'a' completes.");
  EXPECT_EQ(note->causes[2].message, "Waits until 'b' ends.");
}

TEST(Advice, IsTheExactCommandWithItsPrice) {
  YardFixture yard;
  const WorkloadId victim = yard.Submit(
      "victim", R"({"command":"x","priorityClass":"low","compute":{"gpuDevicesRequest":4}})");
  yard.Run(victim);
  yard.Advance(Minutes(90));
  const WorkloadId waits = yard.Submit(
      "waits", R"({"command":"x","priorityClass":"low","compute":{"gpuDevicesRequest":1}})");
  const Result<Why> why = yard.driver().Explain(waits);
  ASSERT_TRUE(why.has_value());
  const auto raised = std::ranges::find(why->alternatives, "higherPriority", &Alternative::kind);
  ASSERT_NE(raised, why->alternatives.end());
  EXPECT_TRUE(raised->command.starts_with("gpuyard update waits --priority ")) << raised->command;
  ASSERT_EQ(raised->price.size(), 1U);
  EXPECT_EQ(raised->price[0].workload, victim);
  EXPECT_GE(raised->price[0].ran, Minutes(90));
  ASSERT_EQ(why->holders.size(), 1U);
  EXPECT_EQ(why->holders[0].workload, victim);
  EXPECT_EQ(why->holders[0].amount, "4 GPU");
  EXPECT_EQ(why->no_forecast,
            "1 of the running workloads that hold what it needs have neither a time limit nor "
            "earlier runs to learn from");
}

}  // namespace
}  // namespace yard::control
