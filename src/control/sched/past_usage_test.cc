#include "control/sched/past_usage.h"

#include <gtest/gtest.h>

#include "control/sched/tables.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

constexpr Micros kHalfLife = Days(7);

std::string Gpus(int count) {
  return R"({"command":"x","compute":{"gpuDevicesRequest":)" + std::to_string(count) + "}}";
}

NodePoolId AnyPool(const State& state) {
  NodePoolId id;
  state.Of<NodePool>().Each([&](const NodePool& pool) { id = pool.id; });
  return id;
}

// The share of the project's pool that counts as used, in millionths.
std::int64_t UsedBy(const YardFixture& yard, const PastUsage& usage, ProjectId project, Time now) {
  Ptr<Cluster> cluster;
  yard.state()->Of<Cluster>().Each(
      [&](const Cluster& one) { cluster = yard.state()->Find<Cluster>(one.id); });
  SchedTables tables = MakeTables(*yard.state(), cluster->id, {});
  tables.snapshot.now = now;
  usage.WriteTo(tables);
  sched::QueueIndex queue = tables.projects.at(project);
  return tables.snapshot.queues[static_cast<std::size_t>(queue.value)].shares[0].usage_millionths;
}

TEST(PastUsage, WorkThatEndedCountsByItsGpusAndTimeAndFades) {
  YardFixture yard;  // four GPUs
  WorkloadId id = yard.Submit("half", Gpus(2));
  yard.Run(id);
  yard.Advance(kHalfLife);
  yard.End(id);
  PastUsage usage(kHalfLife);
  usage.AddAll(*yard.state());
  Time now = yard.clock().Now();
  // Half of the pool for one half-life: half of what the average remembers.
  EXPECT_NEAR(static_cast<double>(UsedBy(yard, usage, yard.project(), now)), 250'000, 10);
  EXPECT_NEAR(static_cast<double>(UsedBy(yard, usage, yard.project(), now + kHalfLife)), 125'000,
              10);
}

TEST(PastUsage, AnAttemptCountsOnceHoweverOftenItIsTold) {
  YardFixture yard;
  WorkloadId id = yard.Submit("half", Gpus(2));
  yard.Run(id);
  yard.Advance(kHalfLife);
  yard.End(id);
  PastUsage usage(kHalfLife);
  usage.AddAll(*yard.state());
  usage.AddAll(*yard.state());
  usage.Add(*yard.state(), *yard.AttemptOf(id));
  EXPECT_NEAR(static_cast<double>(UsedBy(yard, usage, yard.project(), yard.clock().Now())), 250'000,
              10);
}

TEST(PastUsage, WorkWithoutGpusAndWorkThatNeverStartedCountNothing) {
  YardFixture yard;
  WorkloadId plain = yard.Submit("plain", R"({"command":"x"})");
  yard.Run(plain);
  yard.Advance(kHalfLife);
  yard.End(plain);
  WorkloadId broken = yard.Submit("broken", Gpus(4));
  yard.Advance(kHalfLife);
  yard.End(broken, EndCause::kLaunchFailed);
  PastUsage usage(kHalfLife);
  usage.AddAll(*yard.state());
  EXPECT_EQ(UsedBy(yard, usage, yard.project(), yard.clock().Now()), 0);
}

// Both ask for all GPUs at the same time: who has used none comes first, whoever asked before.
TEST(PastUsage, DecidesWhoIsServedUnderDecayedFairness) {
  YardFixture yard;
  ProjectId rested;
  ASSERT_TRUE(yard.Do([&](Txn& txn) -> Status {
    Project busy = *txn.state().Find<Project>(yard.project());
    PoolQuota none{.pool = AnyPool(txn.state()), .gpu = {.deserved = MilliGpu(0)}};
    busy.resources = {none};
    Project other = busy;
    other.id = rested = ProjectId{txn.Next("project")};
    other.name = "rested";
    txn.Put(std::move(busy));
    txn.Put(std::move(other));
    txn.Put(Setting{.id = "scheduler.fairness", .value = {R"({"value":"decayed"})"}});
    return {};
  }));
  WorkloadId worn = yard.Submit("worn", Gpus(4));
  yard.Run(worn);
  yard.Advance(Days(14));
  WorkloadId first = yard.Submit("first", Gpus(4));
  Workload draft = yard.Draft("second", Gpus(4), WorkloadType::kTraining);
  draft.project = rested;
  WorkloadId second;
  ASSERT_TRUE(yard.TrySubmit(draft, &second));
  yard.Advance(Minutes(16));
  yard.End(worn);
  EXPECT_TRUE(yard.AttemptOf(second) != nullptr);
  EXPECT_TRUE(yard.AttemptOf(first) == nullptr);
}

}  // namespace
}  // namespace yard::control
