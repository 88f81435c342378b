#include <gtest/gtest.h>

#include "sched/backfill/kept.h"
#include "sched/forecast/forecast.h"
#include "sched/scheduler.h"
#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

std::string SentenceFor(const Cluster& c, std::string_view name) {
  for (const Refusal& refusal : c.Decide().refusals) {
    if (refusal.first == c.Find(name)) return Sentence(refusal.reason, c.snapshot());
  }
  return "";
}

constexpr const char* kBusyNode = "node a gpu=4; project x quota=4";

TEST(Backfill, LetsAShortWorkloadRunBeforeThePlannedStartOfABigOne) {
  Cluster c(kBusyNode);
  c.Running("x/long gpu=2 age=1h limit=3h").Pending("x/big gpu=4 limit=1h age=2h");
  c.Pending("x/short gpu=2 limit=2h age=1h").Rules("backfill");
  EXPECT_EQ(c.Plan(), "start x/short on a");
}

TEST(Backfill, HoldsBackWhatWouldDelayThePlannedStart) {
  Cluster c(kBusyNode);
  c.Running("x/long gpu=2 age=1h limit=3h").Pending("x/big gpu=4 limit=1h age=2h");
  c.Pending("x/late gpu=2 limit=3h age=1h; x/endless gpu=1").Rules("backfill");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_EQ(c.Why("x/late"), "backfill");
  EXPECT_EQ(c.Why("x/endless"), "backfill");
  ASSERT_GE(c.Decide().planned.size(), 1U);
  EXPECT_EQ(c.Decide().planned[0].workload, c.Find("x/big"));
  EXPECT_EQ(c.Decide().planned[0].at, c.snapshot().now + Hours(2));
}

TEST(Backfill, WithoutItSmallWorkloadsPassBigOnes) {
  Cluster c(kBusyNode);
  c.Running("x/long gpu=2 age=1h limit=3h").Pending("x/big gpu=4 limit=1h age=2h");
  c.Pending("x/late gpu=2 limit=3h age=1h");
  EXPECT_EQ(c.Plan(), "start x/late on a");
}

TEST(Backfill, PlansSeveralStartsOneAfterTheOther) {
  Cluster c(kBusyNode);
  c.Running("x/now gpu=4 age=1h limit=2h").Pending("x/1 gpu=4 limit=1h age=2h; x/2 gpu=4 limit=1h");
  c.Rules("backfill");
  const auto planned = c.Decide().planned;
  ASSERT_EQ(planned.size(), 2U);
  EXPECT_EQ(planned[0].at, c.snapshot().now + Hours(1));
}

TEST(Backfill, PlansWithLearnedRunTimesWhereThereIsNoLimit) {
  Cluster c(kBusyNode);
  c.Running("x/now gpu=4 age=1h runtime=2h").Pending("x/1 gpu=4").Rules("backfill");
  ASSERT_EQ(c.Decide().planned.size(), 1U);
  EXPECT_EQ(c.Decide().planned[0].at, c.snapshot().now + Hours(1));
}

TEST(Reservation, KeepsGpusFreeForTheDeadline) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=2 from=2h to=9h");
  c.Pending("x/long gpu=4 limit=5h np");
  EXPECT_EQ(c.Plan(), "");
  EXPECT_EQ(c.Why("x/long"), "reserved");
}

TEST(Reservation, IsToldWithItsOwnerAndItsTime) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi; "
      "reserve deadline for=pi gpu=2 from=-1h to=9h; reserve next for=pi gpu=4 from=10h to=12h");
  c.Pending("x/now gpu=4; x/later gpu=4 np limit=11h");
  EXPECT_EQ(SentenceFor(c, "x/now"),
            "2 GPU of pool default are reserved for project pi until 1970-04-11T09:00:00Z; "
            "4 GPU would cut into them.");
  c.snapshot().reservations.erase(c.snapshot().reservations.begin());
  EXPECT_EQ(SentenceFor(c, "x/later"),
            "4 GPU of pool default are reserved for project pi from 1970-04-11T10:00:00Z until "
            "1970-04-11T12:00:00Z; 4 GPU would cut into them.");
}

TEST(Reservation, LendsItsGpusToPreemptibleWorkUntilItBegins) {
  const std::string place = "node a gpu=4; project x quota=4; project pi quota=0; ";
  Cluster before(place + "reserve deadline for=pi gpu=4 from=1h to=9h");
  before.Pending("x/endless gpu=4");
  EXPECT_EQ(before.Plan(), "start x/endless on a");
  Cluster inside(place + "reserve deadline for=pi gpu=4 from=-1h to=9h");
  inside.Pending("x/endless gpu=4");
  EXPECT_EQ(inside.Plan(), "");
}

constexpr const char* kLent =
    "node a gpu=4; project x quota=4; project pi quota=0; "
    "reserve deadline for=pi gpu=2 from=-1h to=9h";

TEST(Reservation, TakesBackWhatItLentWhenItsOwnerNeedsItAndNotBefore) {
  Cluster c(kLent);
  c.Running("x/old gpu=2 age=9h; x/young gpu=2 age=1h");
  EXPECT_EQ(c.Plan(), "");
  c.Pending("pi/paper gpu=2");
  EXPECT_EQ(c.Plan(), "evict x/young; start pi/paper on a");
  ASSERT_EQ(c.Decide().evictions.size(), 1U);
  EXPECT_EQ(c.Decide().evictions[0].rule, Rule::kReservation);
}

TEST(Reservation, TakesBackNoMoreThanItKeeps) {
  Cluster c(kLent);
  c.Running("x/1 gpu=2; x/2 gpu=2").Pending("pi/large gpu=4");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Reservation, TakesNothingFromNonPreemptibleWorkNorInNoPreemptionMode) {
  Cluster fixed(kLent);
  fixed.Running("x/fixed gpu=4 np").Pending("pi/paper gpu=2");
  EXPECT_EQ(fixed.Plan(), "");
  Cluster never(kLent);
  never.Running("x/1 gpu=4").Pending("pi/paper gpu=2").Rules("nopreempt");
  EXPECT_EQ(never.Plan(), "");
}

TEST(Reservation, ProtectsItsOwnersWorkFromThoseWithMoreRights) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=4 from=-1h to=9h");
  c.Running("pi/paper gpu=4").Pending("x/1 gpu=4");
  EXPECT_EQ(c.Plan(), "");
}

TEST(Reservation, LeavesOthersTheirRightsAgainstEachOther) {
  Cluster c(
      "node a gpu=8; project x quota=4; project y quota=0; project pi quota=0; "
      "reserve deadline for=pi gpu=4 from=-1h to=9h");
  c.Running("pi/paper gpu=4; y/1 gpu=4").Pending("x/1 gpu=4");
  EXPECT_EQ(c.Plan(), "evict y/1; start x/1 on a");
}

TEST(Reservation, OnesAtTheSameTimeAddUp) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi; project pj; "
      "reserve d for=pi gpu=2 from=-1h to=9h; reserve e for=pj gpu=1 from=-1h to=9h");
  c.Pending("x/1 gpu=1 age=2h; x/2 gpu=1 age=1h; pj/1 gpu=1");
  EXPECT_EQ(c.Plan(), "start x/1 on a; start pj/1 on a");
}

TEST(Reservation, KeepsWhatIsInUseWhenItGivesBackTheRest) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=4 from=-2h to=9h release=1h");
  c.Running("pi/paper gpu=1").Pending("x/1 gpu=3 age=1h; x/2 gpu=1");
  EXPECT_EQ(c.Plan(), "start x/1 on a");
  EXPECT_EQ(c.Why("x/2"), "reserved");
}

TEST(Reservation, IsKeptForAWhileAfterItsOwnersWorkEnded) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=4 from=-3h to=9h release=1h");
  c.Running("pi/paper gpu=4").Pending("x/1 gpu=4");
  auto scheduler = Scheduler::Create(c.snapshot(), c.policy());
  scheduler->Remove(c.Find("pi/paper"));
  EXPECT_TRUE(scheduler->Decide().starts.empty());
  const Time release = c.snapshot().now + Hours(1);
  EXPECT_EQ(NextTurn(scheduler->snapshot().reservations, c.snapshot().now), release);
  scheduler->SetNow(release);
  EXPECT_EQ(scheduler->Decide().starts.size(), 1U);
}

TEST(Reservation, IsNotKeptForWorkOfItsOwnerThatHeldNoGpu) {
  Cluster c(
      "node a gpu=4; project x; project pi; "
      "reserve deadline for=pi gpu=4 from=-3h to=9h release=1h");
  c.Running("pi/parked cpu=1");
  auto scheduler = Scheduler::Create(c.snapshot(), c.policy());
  ASSERT_TRUE(scheduler);
  const Time before = scheduler->snapshot().reservations[0].unused_since;
  scheduler->Remove(c.Find("pi/parked"));
  EXPECT_EQ(scheduler->snapshot().reservations[0].unused_since, before);
}

TEST(Reservation, ItsEndIsPartOfTheForecast) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi; "
      "reserve deadline for=pi gpu=4 from=-1h to=9h");
  c.Pending("x/1 gpu=4");
  const Forecast forecast = ForecastStart(c.snapshot(), c.policy(), c.Find("x/1"), {});
  EXPECT_EQ(forecast.earliest, c.snapshot().now + Hours(9));
}

TEST(Reservation, LetsInWhatEndsBeforeAndWhatLeavesEnough) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=2 from=2h to=9h");
  c.Pending("x/two gpu=2 age=2h; x/short gpu=2 limit=1h age=1h");
  EXPECT_EQ(c.Plan(), "start x/two on a; start x/short on a");
}

TEST(Reservation, IsForItsOwner) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=4 from=0h to=9h");
  c.Pending("x/1 gpu=4; pi/paper gpu=4");
  EXPECT_EQ(c.Plan(), "start pi/paper on a");
}

TEST(Reservation, IsReleasedIfUnused) {
  Cluster c(
      "node a gpu=4; project x quota=4; project pi quota=0; "
      "reserve deadline for=pi gpu=4 from=-2h to=9h release=1h");
  c.Pending("x/1 gpu=4");
  EXPECT_EQ(c.Plan(), "start x/1 on a");
}

}  // namespace
}  // namespace yard::sched
