// What must hold for every cluster. Seeds 1..N are tried; a failure prints its seed, and
// `sched_test --gtest_filter='Always.*' --gtest_random_seed=SEED` tries that one alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random.h"
#include "sched/backfill/kept.h"
#include "sched/core/core.h"
#include "sched/filter/admit.h"
#include "sched/forecast/carry.h"
#include "sched/place/find.h"
#include "sched/schedule.h"
#include "sched/scheduler.h"
#include "sched/testing/random_cluster.h"
#include "sched/validate.h"

namespace yard::sched {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kClusters = 2'000;
#else
constexpr std::uint64_t kClusters = 10'000;
#endif

template <class Check>
void ForEachCluster(Check check) {
  const auto chosen = static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed));
  const std::uint64_t first = chosen == 0 ? 1 : chosen;
  const std::uint64_t last = chosen == 0 ? kClusters : chosen;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(MakeRandomCluster(seed), seed);
    if (testing::Test::HasFailure()) return;
  }
}

Plan Decided(const RandomCluster& cluster) {
  auto plan = Schedule(cluster.snapshot, cluster.policy);
  EXPECT_TRUE(plan.has_value()) << plan.error().message;
  return std::move(*plan);
}

// Plans carried out one after the other come to an end.
void ExpectSettled(const RandomCluster& cluster) {
  auto scheduler = Scheduler::Create(cluster.snapshot, cluster.policy);
  std::string history;
  for (int round = 0; round < 12; ++round) {
    const Plan plan = scheduler->Decide();
    if (plan.starts.empty() && plan.evictions.empty() && plan.moves.empty()) return;
    history += Describe(plan, scheduler->snapshot()) + "\n";
    ASSERT_TRUE(Carry(*scheduler, plan).has_value());
  }
  FAIL() << "still changing:\n" << history;
}

const Workload& At(const Snapshot& snapshot, WorkloadIndex index) {
  return snapshot.workloads[static_cast<std::size_t>(index.value)];
}

TEST(Always, APlanNeverBooksAGpuTwice) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    auto scheduler = Scheduler::Create(cluster.snapshot, cluster.policy);
    ASSERT_TRUE(scheduler.has_value()) << scheduler.error().message;
    const Status carried = Carry(*scheduler, scheduler->Decide());
    ASSERT_TRUE(carried.has_value()) << carried.error().message;
    const Status valid = Validate(scheduler->snapshot());
    ASSERT_TRUE(valid.has_value()) << valid.error().message;
  });
}

TEST(Always, AGangStartsWholeOnNodesOfOneOfItsPools) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    std::set<WorkloadIndex> seen;
    for (const Start& start : Decided(cluster).starts) {
      const Workload& workload = At(cluster.snapshot, start.workload);
      ASSERT_TRUE(seen.insert(start.workload).second);
      for (const TaskPlacement& task : start.tasks) {
        const Node& node = cluster.snapshot.nodes[static_cast<std::size_t>(task.node.value)];
        ASSERT_EQ(node.pool, start.pool);
        ASSERT_EQ(node.state, NodeState::kReady);
      }
      if (start.kind == StartKind::kGrow) continue;
      ASSERT_EQ(workload.state, WorkloadState::kPending);
      const auto pools = PoolsOf(cluster.snapshot, workload);
      ASSERT_NE(std::ranges::find(pools, start.pool), pools.end());
      for (std::size_t g = 0; g < workload.groups.size(); ++g) {
        ASSERT_EQ(
            std::ranges::count(start.tasks, static_cast<std::int32_t>(g), &TaskPlacement::group),
            workload.groups[g].count);
      }
    }
  });
}

TEST(Always, ARequiredTopologyLevelIsKept) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    for (const Start& start : Decided(cluster).starts) {
      const Workload& workload = At(cluster.snapshot, start.workload);
      if (workload.required_level < 0 || start.kind == StartKind::kGrow) continue;
      std::set<DomainIndex> domains;
      for (const TaskPlacement& task : start.tasks) {
        const Node& node = cluster.snapshot.nodes[static_cast<std::size_t>(task.node.value)];
        domains.insert(node.domains[static_cast<std::size_t>(workload.required_level)]);
      }
      ASSERT_EQ(domains.size(), 1U);
    }
  });
}

TEST(Always, QuotasHoldForNonPreemptibleWorkAndLimitsForAll) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    const Core before(cluster.snapshot, cluster.policy);
    auto scheduler = Scheduler::Create(cluster.snapshot, cluster.policy);
    ASSERT_TRUE(Carry(*scheduler, scheduler->Decide()).has_value());
    const Core after(scheduler->snapshot(), cluster.policy);
    for (std::size_t q = 0; q < cluster.snapshot.queues.size(); ++q) {
      for (std::size_t p = 0; p < cluster.snapshot.pools.size(); ++p) {
        const auto queue = QueueIndex(static_cast<std::int32_t>(q));
        const auto pool = PoolIndex(static_cast<std::int32_t>(p));
        const QueueShare& rules = after.RulesOf(queue, pool);
        for (int r = 0; r < kResourceCount; ++r) {
          const auto grew = [&](const Resources& now, const Resources& then,
                                const Resources& bound) {
            return bound.Values()[r] != kUnlimited && now.Values()[r] > bound.Values()[r] &&
                   now.Values()[r] > then.Values()[r];
          };
          const QueueBalance& now = after.ledger().At(queue, pool);
          const QueueBalance& then = before.ledger().At(queue, pool);
          ASSERT_FALSE(grew(now.fixed, then.fixed, rules.quota));
          ASSERT_FALSE(grew(now.allocated, then.allocated, rules.limit));
        }
      }
    }
  });
}

TEST(Always, NobodyIsDisturbedInNoPreemptionModeAndNonPreemptibleWorkNever) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    const Plan plan = Decided(cluster);
    const bool never = cluster.policy.preemption == Preemption::kNever;
    for (const Eviction& eviction : plan.evictions) {
      const Workload& victim = At(cluster.snapshot, eviction.victim);
      ASSERT_EQ(victim.state, WorkloadState::kRunning);
      if (eviction.rule != Rule::kReclaim && eviction.rule != Rule::kPreempt &&
          eviction.rule != Rule::kReservation) {
        continue;
      }
      ASSERT_FALSE(never);
      ASSERT_EQ(victim.preemptibility, Preemptibility::kPreemptible);
      const Workload& taker = At(cluster.snapshot, eviction.for_whom);
      const bool preempts = eviction.rule == Rule::kPreempt;
      ASSERT_TRUE(preempts ? victim.priority < taker.priority : victim.queue != taker.queue);
    }
    for (const Move& move : plan.moves) {
      ASSERT_FALSE(never);
      ASSERT_EQ(At(cluster.snapshot, move.workload).preemptibility, Preemptibility::kPreemptible);
    }
    ASSERT_LE(plan.moves.size(), static_cast<std::size_t>(cluster.policy.max_moves));
  });
}

TEST(Always, NoPlanCutsFurtherIntoAnOpenReservation) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    if (cluster.snapshot.reservations.empty()) return;
    auto scheduler = Scheduler::Create(cluster.snapshot, cluster.policy);
    const Kept kept(scheduler->core());
    std::vector<std::int64_t> before;
    for (std::size_t p = 0; p < cluster.snapshot.pools.size(); ++p) {
      before.push_back(kept.Excess(scheduler->core(), PoolIndex(static_cast<std::int32_t>(p))));
    }
    ASSERT_TRUE(Carry(*scheduler, scheduler->Decide()).has_value());
    for (std::size_t p = 0; p < cluster.snapshot.pools.size(); ++p) {
      const auto pool = PoolIndex(static_cast<std::int32_t>(p));
      ASSERT_LE(kept.Excess(scheduler->core(), pool), before[p]);
    }
  });
}

TEST(Always, TheSameSnapshotGivesTheSamePlan) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    ASSERT_EQ(Decided(cluster), Decided(cluster));
  });
}

TEST(Always, DecidingChangesNothing) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    auto scheduler = Scheduler::Create(cluster.snapshot, cluster.policy);
    const Plan first = scheduler->Decide();
    ASSERT_EQ(first, scheduler->Decide());
  });
}

// One random event; the workloads it adds have ids from 1000 on.
void OneEvent(Scheduler& scheduler, std::uint64_t seed) {
  SeededRandom random(seed);
  const Snapshot& now = scheduler.snapshot();
  const auto pick = [&](std::size_t size) { return static_cast<std::int32_t>(random.Below(size)); };
  switch (random.Below(6)) {
    case 0:
    case 1: {
      const auto id = 1000 + static_cast<std::int64_t>(seed % 1'000'000);
      EXPECT_TRUE(scheduler.Add(RandomWorkload(now, seed, id)).has_value());
      return;
    }
    case 2: {
      if (now.workloads.empty()) return;
      const WorkloadIndex index(pick(now.workloads.size()));
      if (At(now, index).state != WorkloadState::kGone) scheduler.Remove(index);
      return;
    }
    case 3:
      EXPECT_TRUE(Carry(scheduler, scheduler.Decide()).has_value());
      return;
    case 4:
      EXPECT_TRUE(scheduler
                      .SetNodeState(NodeIndex(pick(now.nodes.size())),
                                    static_cast<NodeState>(random.Below(2)))
                      .has_value());
      return;
    default:
      scheduler.SetNow(now.now + Minutes(static_cast<std::int64_t>(random.Below(120))));
  }
}

TEST(Always, TheIncrementalFormGivesThePlanOfTheFullOne) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t seed) {
    auto scheduler = Scheduler::Create(cluster.snapshot, cluster.policy);
    for (std::uint64_t event = 0; event < 6; ++event) {
      OneEvent(*scheduler, seed * 100 + event);
      const auto full = Schedule(scheduler->snapshot(), cluster.policy);
      ASSERT_TRUE(full.has_value()) << full.error().message;
      ASSERT_EQ(scheduler->Decide(), *full) << "after event " << event;
    }
  });
}

// Every pair of a cluster's and a department's rule, over and over.
RandomCluster WithMixedRules(RandomCluster cluster, std::uint64_t seed) {
  cluster.policy.fairness = static_cast<Fairness>(seed % 4);
  std::uint64_t turn = seed / 4;
  for (Queue& queue : cluster.snapshot.queues) {
    queue.fairness.reset();
    if (queue.level != QueueLevel::kDepartment || turn % 5 == 4) continue;
    queue.fairness = static_cast<Fairness>(turn++ % 5);
  }
  return cluster;
}

TEST(Always, TheIncrementalFormGivesThePlanOfTheFullOneWhereDepartmentsHaveRulesOfTheirOwn) {
  ForEachCluster([](const RandomCluster& any, std::uint64_t seed) {
    const RandomCluster cluster = WithMixedRules(any, seed);
    auto scheduler = Scheduler::Create(cluster.snapshot, cluster.policy);
    for (std::uint64_t event = 0; event < 4; ++event) {
      OneEvent(*scheduler, seed * 100 + event);
      const auto full = Schedule(scheduler->snapshot(), cluster.policy);
      ASSERT_TRUE(full.has_value()) << full.error().message;
      ASSERT_EQ(scheduler->Decide(), *full) << "after event " << event;
    }
  });
}

TEST(Always, PlansSettleWhereDepartmentsHaveRulesOfTheirOwn) {
  ForEachCluster([](const RandomCluster& any, std::uint64_t seed) {
    ExpectSettled(WithMixedRules(any, seed));
  });
}

TEST(Always, NobodyWaitsWhileAPermittedPlaceIsFree) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    if (cluster.policy.backfill != Backfill::kOff || !cluster.snapshot.reservations.empty()) return;
    auto scheduler = Scheduler::Create(cluster.snapshot, cluster.policy);
    const Plan plan = scheduler->Decide();
    if (!plan.evictions.empty()) return;  // what they leave is used once they are gone
    ASSERT_TRUE(Carry(*scheduler, plan).has_value());
    const Core after(scheduler->snapshot(), cluster.policy);
    for (const Workload& workload : after.snapshot().workloads) {
      if (workload.state != WorkloadState::kPending || workload.groups.size() > 1) continue;
      if (workload.groups[0].count > 1) continue;
      for (PoolIndex pool : PoolsOf(after.snapshot(), workload)) {
        const Resources cost = CostIn(after.snapshot(), after.nodes(), workload.groups, pool);
        if (Refuses(after, BookingOf(workload, pool, cost))) continue;
        const Found place =
            FindPlaceByScan(after.snapshot(), after.nodes(), workload.groups[0].shape, pool, {});
        ASSERT_FALSE(place.at.has_value()) << workload.name << " could start";
      }
    }
  });
}

TEST(Always, PlansSettle) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) { ExpectSettled(cluster); });
}

TEST(Always, TheBucketsFindTheNodeThatAScanFinds) {
  ForEachCluster([](const RandomCluster& cluster, std::uint64_t) {
    const Core core(cluster.snapshot, cluster.policy);
    for (std::size_t s = 0; s < cluster.snapshot.shapes.size(); ++s) {
      const TaskShape& shape = cluster.snapshot.shapes[s];
      if (shape.gpu_count > 1 && shape.gpu_each.value == 1000) continue;  // closeness may differ
      for (std::size_t p = 0; p < cluster.snapshot.pools.size(); ++p) {
        const auto index = ShapeIndex(static_cast<std::int32_t>(s));
        const auto pool = PoolIndex(static_cast<std::int32_t>(p));
        const Found fast = FindPlace(core.snapshot(), core.nodes(), index, pool, {});
        const Found slow = FindPlaceByScan(core.snapshot(), core.nodes(), index, pool, {});
        ASSERT_EQ(fast.at, slow.at);
        ASSERT_EQ(fast.gap.cause == Cause::kNone, slow.gap.cause == Cause::kNone);
      }
    }
  });
}

}  // namespace
}  // namespace yard::sched
