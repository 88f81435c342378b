// Warnings before the end, times to begin at, nodes by name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/commands/workload_orders.h"
#include "control/runtime/driver.h"
#include "control/testing/yard_fixture.h"
#include "engine/warning.h"

namespace yard::control {
namespace {

constexpr int kUser1 = 10;

constexpr const char* kWarned =
    R"({"command":"x","timeLimitSeconds":60,"signalBeforeEnd":{"signal":"USR1","seconds":20}})";

engine::StopOptions LastStop(YardFixture& yard, WorkloadId id) {
  return yard.engine().Find(yard.KeyOf(id))->stop;
}

int StopsOf(YardFixture& yard, WorkloadId id) {
  return yard.engine().Find(yard.KeyOf(id))->stops;
}

TEST(DriverWarnings, TheSignalComesBeforeTheTimeLimitAndTheEndAtIt) {
  YardFixture yard;
  WorkloadId id = yard.Submit("warned", kWarned);
  yard.Run(id);
  yard.Advance(Seconds(39));
  EXPECT_EQ(StopsOf(yard, id), 0);
  yard.Advance(Seconds(1));
  EXPECT_EQ(StopsOf(yard, id), 1);
  EXPECT_EQ(LastStop(yard, id).signal, kUser1);
  EXPECT_EQ(LastStop(yard, id).grace, engine::kNeverKill);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
  yard.Advance(Seconds(20));
  EXPECT_EQ(LastStop(yard, id).signal, kTerminate);
  EXPECT_EQ(yard.ReasonOf(id), "TimeLimit");
}

TEST(DriverWarnings, WorkThatIsGivenMoreTimeIsWarnedOfTheNewEnd) {
  YardFixture yard;
  WorkloadId id = yard.Submit("warned", kWarned);
  yard.Run(id);
  yard.Advance(Seconds(40));
  EXPECT_EQ(StopsOf(yard, id), 1);
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Outcome(ExtendWorkload(txn, id, Seconds(60))); }));
  yard.Advance(Seconds(59));
  EXPECT_EQ(StopsOf(yard, id), 1);
  yard.Advance(Seconds(1));
  EXPECT_EQ(StopsOf(yard, id), 2);
  EXPECT_EQ(yard.PhaseOf(id), Phase::kRunning);
}

TEST(DriverWarnings, WhoeverHasToGiveWayIsWarnedFirst) {
  YardFixture yard;
  WorkloadId low = yard.Submit(
      "low",
      R"({"command":"x","compute":{"gpuDevicesRequest":4},"terminationGracePeriodSeconds":7,)"
      R"("signalBeforeEnd":{"signal":"USR1","seconds":20}})");
  yard.Run(low);
  WorkloadId high = yard.Submit(
      "high", R"({"command":"x","compute":{"gpuDevicesRequest":4},"priorityClass":"medium"})");
  EXPECT_EQ(LastStop(yard, low).signal, kUser1);
  EXPECT_EQ(LastStop(yard, low).grace, engine::kNeverKill);
  EXPECT_EQ(yard.PhaseOf(high), Phase::kPending);
  yard.Advance(Seconds(20));
  EXPECT_EQ(LastStop(yard, low).signal, kTerminate);
  EXPECT_EQ(LastStop(yard, low).grace, Seconds(7));
  EXPECT_EQ(yard.PhaseOf(high), Phase::kInitializing);
}

TEST(DriverBegin, WorkWaitsForItsTimeAndStartsThen) {
  YardFixture yard;
  std::string at = FormatRfc3339(yard.clock().Now() + Seconds(100));
  WorkloadId id = yard.Submit("later", fmt::format(R"({{"command":"x","beginAt":"{}"}})", at));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  EXPECT_EQ(yard.ReasonOf(id), "BeginTime");
  yard.Advance(Seconds(99));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  yard.Advance(Seconds(1));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
}

TEST(DriverBegin, ItWaitsForAPlaceOnceItsTimeHasCome) {
  YardFixture yard;
  yard.Run(yard.Submit("first", R"({"command":"x","compute":{"gpuDevicesRequest":4}})"));
  std::string at = FormatRfc3339(yard.clock().Now() + Seconds(10));
  WorkloadId id = yard.Submit(
      "later",
      fmt::format(R"({{"command":"x","compute":{{"gpuDevicesRequest":4}},"beginAt":"{}"}})", at));
  yard.Advance(Seconds(20));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  EXPECT_EQ(yard.ReasonOf(id), "Gpus");
}

TEST(DriverBegin, ItIsKeptOverARestart) {
  YardFixture yard;
  std::string at = FormatRfc3339(yard.clock().Now() + Seconds(100));
  WorkloadId id = yard.Submit("later", fmt::format(R"({{"command":"x","beginAt":"{}"}})", at));
  yard.Restart();
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  yard.Advance(Seconds(100));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kInitializing);
}

TEST(DriverNodes, OnlyNamedNodesOrAllButThoseAreUsed) {
  YardFixture yard({.nodes = 2});
  std::string first = yard.AttemptOf(yard.Submit("any", R"({"command":"x"})"))->places[0].node;
  std::string other;
  yard.state()->Of<Node>().Each([&](const Node& node) {
    if (node.name != first) other = node.name;
  });
  auto place = [&](const char* name, const char* field, const std::string& node) {
    WorkloadId id = yard.Submit(name, fmt::format(R"({{"command":"x","{}":["{}"]}})", field, node));
    return yard.AttemptOf(id)->places[0].node;
  };
  EXPECT_EQ(place("a", "nodes", other), other);
  EXPECT_EQ(place("b", "nodes", first), first);
  EXPECT_EQ(place("c", "excludeNodes", first), other);
  EXPECT_EQ(place("d", "excludeNodes", other), first);
}

TEST(DriverNodes, WhoeverExcludesAllIsToldWhy) {
  YardFixture yard;
  std::string name;
  yard.state()->Of<Node>().Each([&](const Node& node) { name = node.name; });
  WorkloadId id = yard.Submit("x", fmt::format(R"({{"command":"x","excludeNodes":["{}"]}})", name));
  EXPECT_EQ(yard.PhaseOf(id), Phase::kPending);
  EXPECT_EQ(yard.ReasonOf(id), "Labels");
  EXPECT_TRUE(yard.MessageOf(id).contains("node name!=" + name)) << yard.MessageOf(id);
}

TEST(HoldQueue, HoldsWhatWaitsAndWhatMayWaitLater) {
  YardFixture yard;
  WorkloadId waits = yard.Submit("waits", R"({"command":"x","compute":{"gpuDevicesRequest":4}})");
  yard.Run(waits);
  WorkloadId behind = yard.Submit("behind", R"({"command":"x","compute":{"gpuDevicesRequest":4}})");
  ASSERT_TRUE(yard.Do([](Txn& txn) { return HoldQueue(txn); }));
  EXPECT_EQ(yard.ReasonOf(behind), "Held");
  yard.End(waits);
  EXPECT_EQ(yard.PhaseOf(waits), Phase::kCompleted);
  EXPECT_EQ(yard.PhaseOf(behind), Phase::kPending);
  ASSERT_TRUE(yard.Do([&](Txn& txn) { return Outcome(ReleaseWorkload(txn, behind)); }));
  EXPECT_EQ(yard.PhaseOf(behind), Phase::kInitializing);
}

}  // namespace
}  // namespace yard::control
