// U7: shares in simulated time.
#include "slice/agent/lease.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

namespace yard::slice {
namespace {

constexpr std::uint64_t kMs = 1'000'000;

// A tenant whose kernels take `kernel_ns`; it always has work between `from` and `to`.
struct Load {
  std::uint32_t share = 0;
  ShareMode mode = ShareMode::kFair;
  std::uint64_t kernel_ns = kMs;
  std::uint64_t from_ns = 0, to_ns = ~0ULL;
  int queued = 1;  // kernels on the GPU before a closed gate can hold the next
  std::uint64_t rests_ns = ~0ULL, rests_for_ns = 0;  // has none in between

  bool Wants(std::uint64_t now) const {
    const bool rests = now >= rests_ns && now < rests_ns + rests_for_ns;
    return now >= from_ns && now < to_ns && !rests;
  }
};

// The next after `last` that has work and may go.
std::optional<int> NextOf(const std::vector<bool>& open, const std::vector<Seen>& seen, int last) {
  for (std::size_t step = 1; step <= open.size(); ++step) {
    const std::size_t i = (static_cast<std::size_t>(last) + step) % open.size();
    if (open[i] && seen[i].wants) return static_cast<int>(i);
  }
  return std::nullopt;
}

// A GPU that runs one kernel at a time, of whoever's gate is open when the last one ends: those who
// have work take turns. Whoever is limited by it always waits for it.
std::vector<double> Simulate(const std::vector<Load>& loads, std::uint64_t total_ns) {
  LeasePlanner planner;
  for (const Load& load : loads) planner.Add(load.share, load.mode);
  std::vector<std::uint64_t> done(loads.size());
  std::vector<Seen> seen(loads.size());
  std::uint64_t busy_until = 0, length = 0;
  int running = -1, last = 0;
  for (std::uint64_t now = kMs; now < total_ns; now += kMs / 10) {
    if (running >= 0 && now >= busy_until) {
      done[running] += length;
      seen[running].drained = true;
      seen[running].drained_ns = busy_until;
      running = -1;
    }
    for (std::size_t i = 0; i < loads.size(); ++i)
      seen[i].wants = seen[i].waits = loads[i].Wants(now);
    const std::vector<bool>& open = planner.Step(now, seen);
    const auto next = NextOf(open, seen, last);
    if (!next || running >= 0) continue;
    running = last = *next;
    length = loads[running].kernel_ns * static_cast<std::uint64_t>(loads[running].queued);
    busy_until = now + length;
    seen[running].drained = false;
  }
  std::vector<double> shares;
  shares.reserve(done.size());
  for (const std::uint64_t time : done)
    shares.push_back(100.0 * static_cast<double>(time) / static_cast<double>(total_ns));
  return shares;
}

constexpr std::uint64_t kWhile = 20'000 * kMs;

TEST(Lease, TwoToEightTenantsGetTheirSharesWithinAPoint) {
  for (int count = 2; count <= 8; ++count) {
    std::vector<Load> loads;
    loads.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      loads.push_back(
          {static_cast<std::uint32_t>(1000 / count), ShareMode::kFair, (i % 3 + 1) * kMs});
    for (const double share : Simulate(loads, kWhile)) EXPECT_NEAR(share, 100.0 / count, 1);
  }
}

TEST(Lease, UnequalSharesHold) {
  for (const auto& [small, large] : {std::pair{500U, 500U}, {300U, 700U}, {100U, 900U}}) {
    const auto got = Simulate({{small}, {large}}, kWhile);
    EXPECT_NEAR(got[0], small / 10.0, 1);
    EXPECT_NEAR(got[1], large / 10.0, 1);
  }
}

// While all gates are open this GPU gives long kernels most of its time; a real one divides it.
TEST(Lease, LongKernelsArePaidForByWhoeverRanThem) {
  const auto got = Simulate({{300, ShareMode::kFair, 50 * kMs}, {700}}, kWhile);
  EXPECT_NEAR(got[0], 30, 2);
  EXPECT_NEAR(got[1], 70, 2);
}

TEST(Lease, FairTenantAloneGetsTheWholeGpu) {
  EXPECT_GT(Simulate({{300}}, kWhile)[0], 90);
}

TEST(Lease, StrictTenantAloneKeepsToItsShare) {
  EXPECT_NEAR(Simulate({{500, ShareMode::kStrict}}, kWhile)[0], 50, 1);
}

// On a real GPU four kernels of 50 ms stood in the queue; 39 % came of the half that was owed.
TEST(Lease, AStrictTenantGetsItsShareWithKernelsLongerThanAPlan) {
  for (const int queued : {1, 2, 4, 8}) {
    const Load load{500, ShareMode::kStrict, 50 * kMs, 0, ~0ULL, queued};
    EXPECT_NEAR(Simulate({load}, kWhile)[0], 50, 1) << queued << " queued";
  }
}

TEST(Lease, StrictTenantsWithLongKernelsShareTheGpuAsAsked) {
  const auto got = Simulate(
      {{300, ShareMode::kStrict, 50 * kMs, 0, ~0ULL, 4}, {500, ShareMode::kStrict, kMs}}, kWhile);
  EXPECT_NEAR(got[0], 30, 1.5);
  EXPECT_NEAR(got[1], 50, 1.5);
}

TEST(Lease, IdleTimeGoesToWhoeverHasWork) {
  const auto got = Simulate({{500, ShareMode::kFair, kMs, 0, kWhile / 2}, {500}}, kWhile);
  EXPECT_NEAR(got[0], 25, 1);
  EXPECT_GT(got[1], 70);
}

TEST(Lease, ALateComerIsNotOwedThePast) {
  const auto got = Simulate({{500}, {500, ShareMode::kFair, kMs, kWhile / 2}}, kWhile);
  EXPECT_NEAR(got[1], 25, 1);
}

TEST(Lease, ALateComerThatMeetsAPauseIsNotOwedThePastEither) {
  Load first{500};
  first.rests_ns = kWhile / 2;
  first.rests_for_ns = 5 * kMs;
  const auto got = Simulate({first, {500, ShareMode::kFair, kMs, kWhile / 2 + 2 * kMs}}, kWhile);
  EXPECT_NEAR(got[0], 75, 1.5);
  EXPECT_NEAR(got[1], 25, 1);
}

TEST(Lease, ATenantThatNeverDrainsDoesNotStopTheOthers) {
  LeasePlanner planner;
  planner.Add(500, ShareMode::kFair);
  planner.Add(500, ShareMode::kFair);
  std::vector<Seen> seen(2);
  seen[0] = {true, false, 0, true};
  seen[1] = {true, true, 0, true};
  bool second_ran_alone = false;
  for (std::uint64_t now = kMs; now < 20'000 * kMs; now += kMs) {
    const std::vector<bool>& open = planner.Step(now, seen);
    second_ran_alone = second_ran_alone || (open[1] && !open[0]);
  }
  EXPECT_TRUE(second_ran_alone);
}

// Tenants as a planner sees them: how much of each ten milliseconds one waits for the GPU.
class Watched {
 public:
  explicit Watched(const std::vector<ShareMode>& modes)
      : seen_(modes.size()), waits_(modes.size()) {
    for (const ShareMode mode : modes)
      planner_.Add(1000 / static_cast<std::uint32_t>(modes.size()), mode);
  }
  void Waits(std::size_t tenant, int of_ten) { waits_[tenant] = of_ten; }
  // Only while it has not got the GPU for itself: alone it is held up by its processor.
  void WaitsBesideOthers(std::size_t tenant, int of_ten) {
    waits_[tenant] = of_ten;
    held_up_.insert(tenant);
  }
  void Rests(std::size_t tenant) { seen_[tenant].wants = false, waits_[tenant] = -1; }
  // How many of so many milliseconds were spent in leases.
  int LeasesIn(int ms) {
    int leases = 0;
    for (int i = 0; i < ms; ++i) leases += Step() ? 1 : 0;
    return leases;
  }
  bool Step() {
    now_ += kMs;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (waits_[i] >= 0) seen_[i].wants = true;
      const bool alone = planner_.InLeases() && held_up_.contains(i);
      seen_[i].waits = !alone && static_cast<int>(now_ / kMs % 10) < waits_[i];
      seen_[i].drained_ns = now_;
    }
    open = planner_.Step(now_, seen_);
    return planner_.InLeases();
  }

  std::vector<bool> open;

 private:
  LeasePlanner planner_;
  std::vector<Seen> seen_;
  std::vector<int> waits_;
  std::set<std::size_t> held_up_;
  std::uint64_t now_ = 0;
};

TEST(Contention, WorkThatDoesNotWaitForTheGpuRunsSideBySide) {
  Watched both({ShareMode::kFair, ShareMode::kFair});
  both.Waits(0, 2);
  both.Waits(1, 3);
  EXPECT_EQ(both.LeasesIn(10'000), 0);
  EXPECT_EQ(both.open, (std::vector<bool>{true, true}));
}

TEST(Contention, AServiceBesideATrainerRunsAsWithoutShares) {
  Watched both({ShareMode::kFair, ShareMode::kFair});
  both.Waits(0, 10);
  both.Waits(1, 1);
  EXPECT_EQ(both.LeasesIn(10'000), 0);
}

TEST(Contention, TwoThatWaitMostOfTheTimeGetLeasesUntilOneOfThemNoLongerDoes) {
  Watched both({ShareMode::kFair, ShareMode::kFair});
  both.Waits(0, 10);
  both.Waits(1, 9);
  EXPECT_GT(both.LeasesIn(10'000), 9'000);
  both.Waits(1, 1);
  both.LeasesIn(8'500);
  EXPECT_EQ(both.LeasesIn(5'000), 0) << "it was looked at again";
}

TEST(Contention, LeasesBeginWithinTwoLooks) {
  for (int late = 0; late < 100; late += 7) {
    Watched both({ShareMode::kFair, ShareMode::kFair});
    both.Waits(0, 10);
    both.Waits(1, 1);
    ASSERT_EQ(both.LeasesIn(500 + late), 0);
    both.Waits(1, 10);
    both.LeasesIn(205);
    EXPECT_EQ(both.LeasesIn(10), 10) << late << " ms after a look began";
  }
}

// A moment in which both wait, or a GPU that two fill though none of them does alone.
TEST(Contention, LeasesThatLeaveTheGpuIdleEndAtOnceAndBecomeRare) {
  Watched both({ShareMode::kFair, ShareMode::kFair});
  both.WaitsBesideOthers(0, 6);
  both.WaitsBesideOthers(1, 6);
  EXPECT_LT(both.LeasesIn(1'000), 450);
  both.LeasesIn(9'000);
  EXPECT_LT(both.LeasesIn(10'000), 1'500);
}

TEST(Contention, TenantsMustLeaveSoonOnlyWhereOthersMayNeedTheGpu) {
  LeasePlanner open, urgent;
  open.Add(500, ShareMode::kFair);
  open.Add(500, ShareMode::kFair);
  urgent.Add(500, ShareMode::kFair);
  urgent.Add(500, ShareMode::kInteractive);
  std::vector<Seen> idle(2), waiting(2, Seen{true, true, 0, true});
  open.Step(kMs, idle);
  urgent.Step(kMs, idle);
  EXPECT_FALSE(open.Brief());
  EXPECT_TRUE(urgent.Brief());
  for (std::uint64_t now = 2 * kMs; now < 200 * kMs; now += kMs) open.Step(now, waiting);
  EXPECT_TRUE(open.Brief()) << "in leases";
}

TEST(Contention, AnInteractiveTenantGoesAtOnceAndTheOthersWaitMeanwhile) {
  Watched three({ShareMode::kFair, ShareMode::kFair, ShareMode::kInteractive});
  three.Waits(0, 10);
  three.Waits(1, 10);
  three.Rests(2);
  ASSERT_GT(three.LeasesIn(900), 700);
  EXPECT_TRUE(three.open[2]) << "its gate is open before it comes";
  three.Waits(2, 1);
  for (int ms = 0; ms < 5; ++ms) {
    three.Step();
    EXPECT_EQ(three.open, (std::vector<bool>{false, false, true}));
  }
  for (int ms = 0; ms < 500; ++ms) three.Step();
  int alone = 0, others = 0;
  for (int ms = 0; ms < 400; ++ms) {
    three.Step();
    (three.open[0] || three.open[1] ? others : alone)++;
  }
  EXPECT_GT(others, alone) << "with more work than its share it is one like the others";
}

}  // namespace
}  // namespace yard::slice
