// What must hold for the live loop on every cluster. Seeds 1..N are tried; a failure prints its
// seed, and `sched_test --gtest_filter='LiveLoop.*' --gtest_random_seed=SEED` tries that one alone.
// YARD_LIVE_LOOPS=10000 tries so many.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "sched/core/core.h"
#include "sched/testing/live_loop.h"
#include "sched/testing/random_cluster.h"
#include "sched/validate.h"

namespace yard::sched {
namespace {

// Without what makes work start again in another size or place.
RandomCluster Inelastic(RandomCluster cluster) {
  cluster.policy.max_moves = 0;
  for (Workload& workload : cluster.snapshot.workloads) {
    for (std::size_t g = 0; g < workload.groups.size(); ++g) workload.groups[g].max_count = 0;
  }
  return cluster;
}

// Twice as much waits as was there, so that there is something to take from each other.
RandomCluster Crowded(std::uint64_t seed) {
  RandomCluster cluster = Inelastic(MakeRandomCluster(seed));
  for (std::int64_t id = 100; id < 112; ++id) {
    Workload more =
        RandomWorkload(cluster.snapshot, seed * 1000 + static_cast<std::uint64_t>(id), id);
    cluster.snapshot.workloads.push_back(std::move(more));
  }
  return Inelastic(std::move(cluster));
}

// The same with elastic work, which grows and shrinks by starting again, and with moves.
RandomCluster Restarting(std::uint64_t seed) {
  RandomCluster cluster = MakeRandomCluster(seed);
  for (std::int64_t id = 100; id < 112; ++id) {
    cluster.snapshot.workloads.push_back(
        RandomWorkload(cluster.snapshot, seed * 1000 + static_cast<std::uint64_t>(id), id));
  }
  cluster.policy.max_moves = static_cast<std::int32_t>(seed % 4);
  cluster.policy.growth = Growth::kByRestart;
  cluster.policy.grow_min_runtime = Minutes(30);
  return cluster;
}

LiveLoop LoopOn(RandomCluster cluster, Places places, std::uint64_t seed) {
  auto scheduler = Scheduler::Create(std::move(cluster.snapshot), cluster.policy);
  EXPECT_TRUE(scheduler.has_value()) << scheduler.error().message;
  return {std::move(*scheduler), places, seed};
}

// At most so many starts of one workload while nothing else changes, where the bound on evictions
// is not what ends the loop. One that is evicted and finds another place starts a second time.
constexpr int kMostStarts = 3;
constexpr int kMostTurns = 300;

std::uint64_t Loops() {
  const char* asked = std::getenv("YARD_LIVE_LOOPS");
  return asked == nullptr ? 100 : std::strtoull(asked, nullptr, 10);
}

// Here reclaim and priority form a ring of three workloads, which only the bound on evictions ends.
constexpr std::uint64_t kRing = 2780;

template <class Check>
void ForEachSeed(Check check) {
  const auto chosen = static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed));
  std::vector<std::uint64_t> seeds{chosen == 0 ? kRing : chosen};
  for (std::uint64_t seed = 1; chosen == 0 && seed <= Loops(); ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(seed);
    if (testing::Test::HasFailure()) return;
  }
}

int MostStarts(const LiveLoop& loop) {
  int most = 0;
  for (const auto& [id, starts] : loop.starts) most = std::max(most, starts);
  return most;
}

RandomCluster Unbounded(RandomCluster cluster) {
  cluster.policy.most_evictions_per_hour = 0;
  return cluster;
}

int BoundOn(LiveLoop& loop) {
  return 1 + static_cast<int>(loop.scheduler().policy().most_evictions_per_hour);
}

TEST(LiveLoop, ComesToRestAndStartsNobodyOverAndOver) {
  ForEachSeed([](std::uint64_t seed) {
    LiveLoop loop = LoopOn(Crowded(seed), Places::kHeld, seed);
    ASSERT_TRUE(loop.Settles(kMostTurns)) << loop.history;
    ASSERT_EQ(loop.error, "");
    ASSERT_LE(MostStarts(loop), BoundOn(loop)) << loop.history;
    ASSERT_TRUE(Validate(loop.scheduler().snapshot()).has_value());
    ASSERT_TRUE(loop.scheduler().core().promised().empty()) << loop.history;
  });
}

TEST(LiveLoop, ComesToRestWithoutTheBoundToo) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    LiveLoop loop = LoopOn(Unbounded(Crowded(seed)), Places::kHeld, seed);
    ASSERT_TRUE(loop.Settles(kMostTurns)) << "seed " << seed << "\n" << loop.history;
    ASSERT_LE(MostStarts(loop), kMostStarts) << "seed " << seed << "\n" << loop.history;
  }
}

// Guards run out, reservations begin and end, work reaches its time limit.
TEST(LiveLoop, ComesToRestAgainAfterEveryHour) {
  ForEachSeed([](std::uint64_t seed) {
    LiveLoop loop = LoopOn(Crowded(seed), Places::kHeld, seed);
    for (int hour = 0; hour < 8; ++hour) {
      loop.starts.clear();
      ASSERT_TRUE(loop.Settles(kMostTurns)) << "hour " << hour << "\n" << loop.history;
      ASSERT_LE(MostStarts(loop), BoundOn(loop)) << "hour " << hour << "\n" << loop.history;
      loop.Advance(Hours(1));
    }
    ASSERT_EQ(loop.error, "");
  });
}

// A node goes away while places are being cleared: promises on it lapse, nothing hangs.
TEST(LiveLoop, ComesToRestWhenANodeLeavesService) {
  ForEachSeed([](std::uint64_t seed) {
    LiveLoop loop = LoopOn(Crowded(seed), Places::kHeld, seed);
    loop.Turn();
    const auto nodes = loop.scheduler().snapshot().nodes.size();
    const NodeIndex gone(static_cast<std::int32_t>(seed % nodes));
    ASSERT_TRUE(loop.scheduler().SetNodeState(gone, NodeState::kCordoned).has_value());
    ASSERT_TRUE(loop.Settles(kMostTurns)) << loop.history;
    ASSERT_EQ(loop.error, "");
    ASSERT_TRUE(loop.scheduler().core().promised().empty()) << loop.history;
  });
}

TEST(LiveLoop, ComesToRestWhereWorkIsMovedGrownAndShrunk) {
  int restarted = 0;
  ForEachSeed([&](std::uint64_t seed) {
    LiveLoop loop = LoopOn(Restarting(seed), Places::kHeld, seed);
    for (int hour = 0; hour < 4; ++hour) {
      loop.starts.clear();
      ASSERT_TRUE(loop.Settles(kMostTurns)) << "hour " << hour << "\n" << loop.history;
      ASSERT_LE(MostStarts(loop), BoundOn(loop)) << "hour " << hour << "\n" << loop.history;
      ASSERT_EQ(loop.error, "") << loop.history;
      ASSERT_TRUE(Validate(loop.scheduler().snapshot()).has_value());
      ASSERT_TRUE(loop.scheduler().core().promised().empty()) << loop.history;
      loop.Advance(Hours(1));
    }
    for (const char* step : {"move ", "grow ", "shrink "}) {
      restarted += loop.history.contains(step) ? 1 : 0;
    }
  });
  EXPECT_GT(restarted, 0);
}

// Clusters that go round if the places of evicted work are for all, as they once were: they show
// that the suite can fail. A change of the random clusters may call for others.
constexpr std::uint64_t kGoRound[] = {16, 20, 28, 39, 67};

std::vector<std::uint64_t> SeedsThatGoRound() {
  std::vector<std::uint64_t> found;
  for (const std::uint64_t seed : kGoRound) {
    LiveLoop loop = LoopOn(Unbounded(Crowded(seed)), Places::kForAll, seed);
    if (!loop.Settles(kMostTurns) && MostStarts(loop) > 20) found.push_back(seed);
  }
  return found;
}

TEST(LiveLoop, WouldGoRoundIfPlacesWereNotHeld) {
  EXPECT_GE(SeedsThatGoRound().size(), 2U);
  for (const std::uint64_t seed : kGoRound) {
    LiveLoop loop = LoopOn(Unbounded(Crowded(seed)), Places::kHeld, seed);
    EXPECT_TRUE(loop.Settles(kMostTurns)) << "seed " << seed;
  }
}

TEST(LiveLoop, EvictsNobodyMoreOftenThanTheBoundEvenWithoutHeldPlaces) {
  for (const std::uint64_t seed : kGoRound) {
    RandomCluster cluster = Crowded(seed);
    const std::int64_t most = cluster.policy.most_evictions_per_hour;
    LiveLoop loop = LoopOn(std::move(cluster), Places::kForAll, seed);
    EXPECT_TRUE(loop.Settles(kMostTurns)) << "seed " << seed << "\n" << loop.history;
    for (const auto& [id, times] : loop.evictions) {
      EXPECT_LE(static_cast<std::int64_t>(times.size()), most) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace yard::sched
