// U7: shares in simulated time.
#include "slice/agent/lease.h"

#include <gtest/gtest.h>

#include <algorithm>

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

// A GPU that runs one kernel at a time, of whoever's gate is open when the last one ends.
std::vector<double> Simulate(const std::vector<Load>& loads, std::uint64_t total_ns) {
  LeasePlanner planner;
  for (const Load& load : loads) planner.Add(load.share, load.mode);
  std::vector<std::uint64_t> done(loads.size());
  std::vector<Seen> seen(loads.size());
  std::uint64_t busy_until = 0, length = 0;
  int running = -1;
  for (std::uint64_t now = kMs; now < total_ns; now += kMs / 10) {
    if (running >= 0 && now >= busy_until) {
      done[running] += length;
      seen[running].drained = true;
      seen[running].drained_ns = busy_until;
      running = -1;
    }
    for (std::size_t i = 0; i < loads.size(); ++i) seen[i].wants = loads[i].Wants(now);
    const auto open = planner.Step(now, seen);
    if (!open || running >= 0 || !seen[*open].wants) continue;
    running = *open;
    length = loads[running].kernel_ns * static_cast<std::uint64_t>(loads[running].queued);
    busy_until = now + length;
    seen[running].drained = false;
  }
  std::vector<double> shares;
  for (const std::uint64_t time : done)
    shares.push_back(100.0 * static_cast<double>(time) / static_cast<double>(total_ns));
  return shares;
}

constexpr std::uint64_t kWhile = 20'000 * kMs;

TEST(Lease, TwoToEightTenantsGetTheirSharesWithinAPoint) {
  for (int count = 2; count <= 8; ++count) {
    std::vector<Load> loads;
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

TEST(Lease, LongKernelsArePaidForByWhoeverRanThem) {
  const auto got = Simulate({{300, ShareMode::kFair, 50 * kMs}, {700}}, kWhile);
  EXPECT_NEAR(got[0], 30, 1);
  EXPECT_NEAR(got[1], 70, 1);
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
  seen[0] = {true, false, 0};
  seen[1] = {true, true, 0};
  bool second_ran = false;
  for (std::uint64_t now = kMs; now < 20'000 * kMs; now += kMs)
    second_ran = second_ran || planner.Step(now, seen) == 1;
  EXPECT_TRUE(second_ran);
}

}  // namespace
}  // namespace yard::slice
