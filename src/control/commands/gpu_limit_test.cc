// A part of a GPU whose limit changes while its work runs, and what the engine says about it.
#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/runtime/driver.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

constexpr const char* kQuarter = R"({"command":"train","compute":{"gpuDevicesRequest":1,
    "gpuRequestType":"portion","gpuPortionRequest":0.25,"gpuPortionLimit":0.5}})";

Status Limit(YardFixture& yard, WorkloadId id, const GpuLimitOrder& order) {
  return yard.Do([&](Txn& txn) { return Outcome(LimitGpuMemory(txn, id, order)); });
}

engine::TaskKey KeyOf(YardFixture& yard, WorkloadId id) {
  return {yard.AttemptOf(id)->id, 0};
}

std::string EventText(YardFixture& yard, WorkloadId id, std::string_view reason) {
  const std::vector<WorkloadEvent> events = *yard.service().ReadEvents(id, 0, 100);
  for (const WorkloadEvent& event : events)
    if (event.reason == reason) return event.message;
  return {};
}

TEST(GpuLimit, ReachesWorkThatRuns) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", kQuarter);
  yard.Run(id);
  EXPECT_EQ(yard.engine().Find(KeyOf(yard, id))->spec.gpus[0].limit, Mebibytes(20480));
  ASSERT_TRUE(Limit(yard, id, {.portion = 0.75, .memory = {}}));
  yard.driver().Settle();
  const engine::GpuGrant told = yard.engine().Find(KeyOf(yard, id))->spec.gpus[0];
  EXPECT_EQ(told.limit, Mebibytes(30720));
  EXPECT_EQ(told.memory, Mebibytes(10240)) << "the request stays";
  EXPECT_TRUE(EventText(yard, id, "GpuLimitChanged")
                  .starts_with("Its GPU memory may grow to 0.75 of a GPU while there is room"));
}

TEST(GpuLimit, IsNeverBelowTheRequestAndInItsTerms) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", kQuarter);
  EXPECT_EQ(Limit(yard, id, {.portion = 0.1, .memory = {}}).error().code, Code::kInvalid);
  EXPECT_EQ(Limit(yard, id, {.portion = {}, .memory = "20G"}).error().code, Code::kInvalid);
  EXPECT_EQ(Limit(yard, id, {}).error().code, Code::kInvalid);
  WorkloadId whole = yard.Submit("whole", R"({"command":"x","compute":{"gpuDevicesRequest":1}})");
  EXPECT_EQ(Limit(yard, whole, {.portion = 0.5, .memory = {}}).error().code, Code::kPrecondition);
}

TEST(GpuLimit, WhatTheEngineSaysBecomesAnEventOfTheWorkload) {
  YardFixture yard;
  WorkloadId id = yard.Submit("train", kQuarter);
  yard.Run(id);
  yard.engine().Say({KeyOf(yard, id), "GpuMemoryAboveRequest", "holds 5 MiB above its request"});
  yard.driver().Settle();
  EXPECT_EQ(EventText(yard, id, "GpuMemoryAboveRequest"), "holds 5 MiB above its request");
}

}  // namespace
}  // namespace yard::control
