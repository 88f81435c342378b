// The rules of Run:ai and of the queue page, one sentence each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sched/order/queue_page.h"
#include "sched/scheduler.h"
#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

using testing::HasSubstr;

std::string SentenceFor(const Cluster& c, std::string_view name) {
  for (const Refusal& refusal : c.Decide().refusals) {
    if (refusal.first == c.Find(name)) return Sentence(refusal.reason, c.snapshot());
  }
  return "";
}

TEST(Pools, AreTriedInTheOrderOfTheProject) {
  Cluster c(
      "pool prod; pool dev; node p gpu=1 pool=prod; node d gpu=1 pool=dev; "
      "project x quota=2 pools=dev,prod");
  c.Pending("x/1 gpu=1 age=2h; x/2 gpu=1 age=1h");
  EXPECT_EQ(c.Plan(), "start x/1 on d; start x/2 on p");
}

TEST(Pools, TheWorkloadsOwnListComesFirst) {
  Cluster c(
      "pool prod; pool dev; node p gpu=1 pool=prod; node d gpu=1 pool=dev; "
      "project x quota=2 pools=dev");
  c.Pending("x/1 gpu=1 pools=prod");
  EXPECT_EQ(c.Plan(), "start x/1 on p");
}

TEST(Pools, AnOrderLeftOutMeansEveryPool) {
  Cluster c("pool prod; pool dev; node d gpu=1 pool=dev; project x quota=0");
  c.Pending("x/1 gpu=1");
  EXPECT_EQ(c.Plan(), "start x/1 on d");
}

TEST(Pools, OneAbsentFromTheListIsNeverTried) {
  Cluster c("pool prod; pool dev; node d gpu=1 pool=dev; project x quota=2 pools=prod");
  c.Pending("x/1 gpu=1");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_EQ(c.Why("x/1"), "noNodes");
}

TEST(Quota, NonPreemptibleWorkMustFitQuotaOfProjectAndDepartment) {
  Cluster c("node a gpu=8; department d quota=2; project x in=d quota=4");
  c.Pending("x/fixed gpu=3 np");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_EQ(c.Why("x/fixed"), "nonPreemptibleOverQuota");
  EXPECT_THAT(SentenceFor(c, "x/fixed"),
              HasSubstr("quota of d in pool default: quota 2 GPU, non-preemptible allocated 0 GPU, "
                        "requested 3 GPU"));
}

TEST(Quota, PreemptibleWorkMayGoOverIt) {
  Cluster c("node a gpu=8; project x quota=1");
  c.Pending("x/1 gpu=8");
  EXPECT_EQ(c.Plan(), "start x/1 on a");
}

TEST(Quota, IsNeverExceededByPartsOfGpusThatAddUp) {
  Cluster c("node a gpu=1; project x quota=0.3");
  c.Running("x/1 gpu=0.1 np").Pending("x/2 gpu=0.2 np; x/3 gpu=0.1 np");
  EXPECT_EQ(c.Plan(), "start x/2 on a");
}

TEST(Limit, RefusesWithItsNumbers) {
  Cluster c("node a gpu=8; project x quota=1 limit=2");
  c.Running("x/1 gpu=1").Pending("x/2 gpu=2");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_THAT(SentenceFor(c, "x/2"), HasSubstr("limit 2 GPU, allocated 1 GPU, requested 2 GPU"));
}

TEST(Limit, OfZeroBlocksTheQueue) {
  Cluster c("node a gpu=8; project x quota=0 limit=0");
  c.Pending("x/1 gpu=1");
  EXPECT_EQ(c.Why("x/1"), "queueBlocked");
}

TEST(QueueOrder, ServesWhoStaysWithinQuotaBeforeWhoBorrows) {
  Cluster c("node a gpu=2; project x quota=0; project y quota=2");
  c.Pending("x/1 gpu=1 age=9h; x/2 gpu=1 age=9h; y/1 gpu=1; y/2 gpu=1");
  EXPECT_EQ(c.Plan(), "start y/1 on a; start y/2 on a");
}

TEST(QueueOrder, AlternatesBetweenEqualQueues) {
  Cluster c("node a gpu=4; project x; project y");
  c.Pending("x/1 gpu=1; x/2 gpu=1; x/3 gpu=1; y/1 gpu=1; y/2 gpu=1; y/3 gpu=1");
  EXPECT_EQ(c.Plan(), "start x/1 on a; start y/1 on a; start x/2 on a; start y/2 on a");
}

TEST(QueueOrder, FollowsOverQuotaWeight) {
  Cluster c("node a gpu=4; project x weight=1; project y weight=3");
  c.Pending("x/1 gpu=1; x/2 gpu=1; x/3 gpu=1; y/1 gpu=1; y/2 gpu=1; y/3 gpu=1");
  EXPECT_EQ(c.Plan(), "start y/1 on a; start y/2 on a; start x/1 on a; start y/3 on a");
}

TEST(QueueOrder, HigherQueuePriorityComesFirst) {
  Cluster c("node a gpu=1; project x; project y priority=1");
  c.Pending("x/1 gpu=1 age=5h; y/1 gpu=1");
  EXPECT_EQ(c.Plan(), "start y/1 on a");
}

TEST(Gang, WaitsWholeIfOneTaskFindsNoPlace) {
  Cluster c("node a gpu=3; node b gpu=3; project x quota=6");
  c.Pending("x/gang gpu=2 count=3");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_EQ(c.Why("x/gang"), "gang");
}

TEST(Elastic, StartsAtItsMinimumAndGrowsIntoRoomNobodyWants) {
  Cluster c("node a gpu=4; project x quota=4");
  c.Running("x/e gpu=1 count=1 max=3 tasks=1").Pending("x/1 gpu=1");
  EXPECT_EQ(c.Plan(), "start x/1 on a; grow x/e on a x2");
}

TEST(Placement, BinPacksOntoTheFullestNode) {
  Cluster c("node a gpu=4; node b gpu=4; project x quota=8");
  c.Running("x/1 gpu=2 on=b").Pending("x/2 gpu=1");
  EXPECT_EQ(c.Plan(), "start x/2 on b");
}

TEST(Placement, SpreadsOntoTheEmptiestNode) {
  Cluster c("pool p spread; node a gpu=4; node b gpu=4; project x quota=8");
  c.Running("x/1 gpu=2 on=a").Pending("x/2 gpu=1");
  EXPECT_EQ(c.Plan(), "start x/2 on b");
}

TEST(Placement, PutsAFractionOnTheGpuItFitsMostTightly) {
  Cluster c("pool p; node a gpu=2; node b gpu=1; project x quota=8");
  c.Running("x/1 gpu=0.3 on=a; x/2 gpu=0.5 on=b").Pending("x/3 gpu=0.5");
  EXPECT_EQ(c.Plan(), "start x/3 on b");
}

TEST(Placement, TakesTheSameFractionOfSeveralGpusOfOneNode) {
  Cluster c("node a gpu=1; node b gpu=2; project x quota=8");
  c.Pending("x/1 gpu=2x0.5");
  EXPECT_EQ(c.Plan(), "start x/1 on b");
}

TEST(Placement, TurnsGpuMemoryIntoThePartOfTheModelAtHand) {
  Cluster c(
      "model small mem=16; model large mem=80; node s gpu=1 model=small; "
      "node l gpu=1 model=large; project x quota=8");
  c.Running("x/1 gpu=0.5 on=s").Pending("x/2 mib=16384");
  EXPECT_EQ(c.Plan(), "start x/2 on l");
}

TEST(Placement, HonoursModelLabelsAndTaints) {
  Cluster c(
      "model A; model H; node a gpu=1 model=A labels=type=slow; "
      "node h gpu=1 model=H taints=owner=pi; project x quota=8");
  c.Pending("x/h gpu=1 model=H");
  EXPECT_EQ(c.Why("x/h"), "taints");
  c.Pending("x/t gpu=1 model=H tolerate=owner=pi; x/slow gpu=1 label=type=slow|type=old");
  EXPECT_EQ(c.Plan(), "start x/t on h; start x/slow on a");
}

TEST(Placement, KeepsTheGpusOfATaskInOneIsland) {
  Cluster c("pool p; node a gpu=4 island=2; project x quota=8");
  c.Running("x/1 gpu=1 on=a").Pending("x/2 gpu=2");
  const Plan plan = c.Decide();
  ASSERT_EQ(plan.starts.size(), 1U);
  EXPECT_EQ(plan.starts[0].tasks[0].gpus, 0b1100U);
}

TEST(Topology, KeepsAGangInOneRequiredDomainTheFullestThatFits) {
  Cluster c(
      "node a gpu=2 domains=z/r1; node b gpu=2 domains=z/r1; node c gpu=2 domains=z/r2; "
      "node d gpu=2 domains=z/r2; project x quota=9");
  c.Running("x/1 gpu=1 on=a").Pending("x/g gpu=1 count=3 level=1; x/big gpu=2 count=3 level=1");
  EXPECT_EQ(c.Plan(), "start x/g on a, b x2");
  EXPECT_EQ(c.Why("x/big"), "gpus");
}

TEST(Topology, APreferredDomainGivesWay) {
  Cluster c("node a gpu=2 domains=r1; node b gpu=2 domains=r2; project x quota=9");
  c.Pending("x/g gpu=2 count=2 prefer=0");
  EXPECT_EQ(c.Plan(), "start x/g on a, b");
}

TEST(Rules, EndWorkAtItsTimeLimitOrWhenIdleOrStale) {
  Cluster c("node a gpu=4; project x quota=4");
  c.Running(
      "x/over gpu=1 age=3h limit=2h; x/idle gpu=1 idle=1h idlelimit=30m; "
      "x/stale gpu=1 stale=2m; x/fine gpu=1 limit=9h");
  EXPECT_EQ(c.Plan(), "evict x/over; evict x/idle; evict x/stale");
}

TEST(Caps, BoundGpusAndInteractiveWorkPerUserAndProject) {
  Cluster c("node a gpu=8; project x quota=8 interactive=2; user u cap=2; user v interactive=1");
  c.Running("x/1 gpu=1 user=u; x/2 gpu=1 user=v interactive");
  c.Pending("x/3 gpu=2 user=u; x/4 gpu=1 user=v interactive");
  EXPECT_EQ(c.Why("x/3"), "userGpuCap");
  EXPECT_EQ(c.Why("x/4"), "userInteractiveCap");
  c.Pending("x/5 gpu=1 interactive; x/6 gpu=2 interactive");
  EXPECT_EQ(c.Why("x/6"), "projectInteractiveCap");
}

TEST(NthGpu, AnyonesFirstComesBeforeAnyonesSecond) {
  Cluster c("node a gpu=3; project x; user u; user v; user w");
  c.Running("x/u1 gpu=1 user=u").Rules("nth");
  c.Pending("x/u2 gpu=1 user=u age=9h; x/v1 gpu=1 user=v age=2h; x/w1 gpu=1 user=w age=1h");
  EXPECT_EQ(c.Plan(), "start x/v1 on a; start x/w1 on a");
}

TEST(NthGpu, APersonsPrioritiesOrderThatPersonsWorkAlone) {
  Cluster c("node a gpu=2; project x; user u; user v");
  c.Pending("x/u1 gpu=1 user=u age=2h; x/u2 gpu=1 user=u age=1h uprio=1; x/v gpu=1 user=v age=9h");
  c.Rules("nth");
  EXPECT_EQ(c.Plan(), "start x/v on a; start x/u2 on a");
}

TEST(NthGpu, MayRuleOneDepartmentAlone) {
  Cluster c("node a gpu=2; department d nth; project x in=d; user u; user v");
  c.Running("x/u1 gpu=1 user=u").Pending("x/u2 gpu=1 user=u age=9h; x/v1 gpu=1 user=v");
  EXPECT_EQ(c.Plan(), "start x/v1 on a");
}

TEST(NthGpu, TheQueuePageListsRunningWorkAsTheOriginalDid) {
  Cluster c("node a gpu=9; project x; user u; user v");
  c.Running(
      "x/u1 gpu=1 user=u age=5h; x/u2 gpu=2 user=u age=4h; x/v1 gpu=1 user=v age=1h; "
      "x/cpu user=v; x/anon gpu=1 age=9h; x/high gpu=1 user=v uprio=1 age=1h");
  std::string text;
  for (const QueuePageRow& row : QueuePage(c.snapshot())) {
    text += c.snapshot().workloads[static_cast<std::size_t>(row.workload.value)].name + ":" +
            FormatMilli(row.user_ordinal.value) + "/" + FormatMilli(row.global_ordinal.value) + " ";
  }
  EXPECT_EQ(text, "x/cpu:0/0 x/high:1/1 x/u1:1/2 x/v1:2/3 x/u2:3/5 x/anon:1/6 ");
}

TEST(Fifo, ServesTheOldestWhoeverAsks) {
  Cluster c("node a gpu=1; project x quota=1; project y");
  c.Pending("x/1 gpu=1 age=1h; y/1 gpu=1 age=2h").Rules("fifo nopreempt");
  EXPECT_EQ(c.Plan(), "start y/1 on a");
}

TEST(Departments, OneMayRankItsUsersByNthGpuWhileFairShareRulesBetweenThem) {
  Cluster c(
      "node a gpu=3; department d nth quota=2; department e quota=1; "
      "project x in=d quota=2; project y in=e quota=1; user u; user v");
  c.Running("x/u1 gpu=1 user=u");
  c.Pending("x/u2 gpu=1 user=u age=9h; x/v1 gpu=1 user=v; y/1 gpu=1; y/2 gpu=1 age=9h");
  EXPECT_EQ(c.Plan(), "start y/2 on a; start x/v1 on a");
}

TEST(Departments, OneMayRankItsProjectsByAgeWhileFairShareRulesBetweenThem) {
  Cluster c(
      "node a gpu=2; department d fifo quota=1; department e quota=1; "
      "project x in=d quota=1; project z in=d quota=0; project y in=e quota=1");
  c.Pending("x/1 gpu=1 age=1h; z/1 gpu=1 age=2h; y/1 gpu=1");
  EXPECT_EQ(c.Plan(), "start z/1 on a; start y/1 on a");
}

TEST(Departments, OneMayKeepFairShareInAClusterThatServesTheOldest) {
  Cluster c(
      "node a gpu=3; department d fair; department e; "
      "project x in=d quota=0; project z in=d quota=2; project y in=e");
  c.Pending("x/old gpu=1 age=9h; z/1 gpu=1 age=3h; z/2 gpu=1 age=1h; y/1 gpu=1 age=2h");
  c.Rules("fifo");
  EXPECT_EQ(c.Plan(), "start z/1 on a; start y/1 on a; start z/2 on a");
}

TEST(Departments, OneWithFairShareTakesNothingFromItsOwnWhereTheOldestComeFirst) {
  Cluster c(
      "node a gpu=2; department d fair; department e; "
      "project x in=d quota=0; project z in=d quota=2; project y in=e");
  c.Running("x/1 gpu=2").Pending("z/1 gpu=2; y/1 gpu=2 age=9h").Rules("fifo");
  EXPECT_EQ(c.Plan(), "") << "what it gave up would go to y/1";
}

TEST(Departments, OneMayServeItsOldestInAClusterOfNthGpu) {
  Cluster c(
      "node a gpu=2; department d fifo; department e; project x in=d; project y in=e; "
      "user u; user v");
  c.Running("y/u1 gpu=1 user=u on=a");
  c.Pending("x/u2 gpu=1 user=u age=9h; x/v1 gpu=1 user=v age=1h; y/v2 gpu=1 user=v").Rules("nth");
  // In d the oldest, u's second GPU, stands before v's first; next to it v's own comes first.
  EXPECT_EQ(c.Plan(), "start y/v2 on a");
}

TEST(Departments, AUsersGpusCountInAllDepartmentsOfAClusterOfNthGpu) {
  Cluster c(
      "node a gpu=3; department d fifo; department e fifo; project x in=d; project y in=e; "
      "user u; user v");
  c.Pending(
      "x/u gpu=1 user=u age=9h; y/u gpu=1 user=u age=8h; y/v gpu=1 user=v age=1h; "
      "x/v gpu=1 user=v age=2h");
  c.Rules("nth");
  EXPECT_EQ(c.Plan(), "start x/u on a; start x/v on a; start y/u on a");
}

TEST(Departments, PastUsageMayCountInOneAlone) {
  const std::string usage = "project x in=d usage=900000; project z in=d usage=0";
  Cluster with("node a gpu=1; department d decayed; " + usage);
  with.Pending("x/1 gpu=1 age=9h; z/1 gpu=1").Rules("k=9000");
  EXPECT_EQ(with.Plan(), "start z/1 on a");
  Cluster without("node a gpu=1; department d; " + usage);
  without.Pending("x/1 gpu=1 age=9h; z/1 gpu=1").Rules("k=9000");
  EXPECT_EQ(without.Plan(), "start x/1 on a");
}

TEST(DecayedShare, PastUsageLowersTheShare) {
  Cluster c("node a gpu=2; project x usage=900000; project y usage=0");
  c.Pending("x/1 gpu=1 age=9h; x/2 gpu=1 age=9h; y/1 gpu=1; y/2 gpu=1").Rules("decayed k=9000");
  EXPECT_EQ(c.Plan(), "start y/1 on a; start y/2 on a");
}

}  // namespace
}  // namespace yard::sched
