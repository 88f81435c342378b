#include "sched/place/frag_move.h"

#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "sched/place/frag_outlook.h"

namespace yard::sched::frag {
namespace {

constexpr FragMover::Limits kGenerous{kMaxMoves, std::numeric_limits<std::int64_t>::max()};

TaskShape Part(std::int16_t milli, std::int64_t cores = 1) {
  return {cores * 1000, 1024, 1, milli, 0};
}

// `count` nodes of 10 cores and two idle GPUs.
struct Cluster {
  explicit Cluster(int count)
      : index(std::vector<NodeShape>(static_cast<std::size_t>(count),
                                     NodeShape{10'000, 1 << 20, 0, 2, {1000, 1000}}),
              std::make_shared<Outlook>(ShapeMix{{Part(500), 1}, {Part(1000), 1}})),
        mover(index) {}
  FragIndex index;
  FragMover mover;
};

TEST(MakeRoom, JoinsTwoHalvesToFreeAGpu) {
  Cluster c(1);
  c.mover.Add(Part(500), 0, 0b01);
  c.mover.Add(Part(500), 0, 0b10);
  ASSERT_FALSE(c.index.Find(Part(1000)).has_value());
  const auto plan = c.mover.MakeRoom(Part(1000), kGenerous);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->moved.size(), 1U);
  EXPECT_EQ(c.index.nodes()[0].FreeMilli(), 0);
}

TEST(MakeRoom, MovesATaskAwayForItsCpu) {
  Cluster c(2);
  const int hog = c.mover.Add({8000, 1024, 0, 0, 0}, 0, 0);
  c.mover.Add(Part(1000), 1, 0b01);
  c.mover.Add(Part(1000), 1, 0b10);
  const auto plan = c.mover.MakeRoom(Part(1000, 5), kGenerous);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->moved, std::vector<int>{hog});
  EXPECT_EQ(c.mover.task(hog).node, 1);
  EXPECT_EQ(c.mover.task(plan->placed).node, 0);
}

TEST(MakeRoom, LeavesEverythingAsItWasWhenThereIsNoRoom) {
  Cluster c(1);
  c.mover.Add(Part(600), 0, 0b01);
  c.mover.Add(Part(600), 0, 0b10);
  const NodeShape before = c.index.nodes()[0];
  EXPECT_FALSE(c.mover.MakeRoom(Part(1000), kGenerous).has_value());
  EXPECT_EQ(c.index.nodes()[0], before);
}

TEST(MakeRoom, KeepsToTheMovesAllowed) {
  Cluster c(2);
  for (int gpu : {0b01, 0b10}) {
    for (int node : {0, 1}) c.mover.Add(Part(500), node, static_cast<std::uint64_t>(gpu));
  }
  const TaskShape both{1000, 1024, 2, 1000, 0};
  EXPECT_FALSE(c.mover.MakeRoom(both, {0, kGenerous.loss}).has_value());
  EXPECT_FALSE(c.mover.MakeRoom(both, {1, kGenerous.loss}).has_value());
  EXPECT_EQ(c.mover.MakeRoom(both, {2, kGenerous.loss})->moved.size(), 2U);
}

TEST(MakeRoom, RefusesRoomThatCostsTooMuch) {
  Cluster c(1);
  c.mover.Add(Part(500), 0, 0b01);
  c.mover.Add(Part(500), 0, 0b10);
  EXPECT_FALSE(c.mover.MakeRoom(Part(1000), {kMaxMoves, 0}).has_value());
}

TEST(MakeRoom, TriesAgainAfterATaskHasGone) {
  Cluster c(1);
  c.mover.Add(Part(600), 0, 0b01);
  const int gone = c.mover.Add(Part(600), 0, 0b10);
  EXPECT_FALSE(c.mover.MakeRoom(Part(1000), kGenerous).has_value());
  c.mover.Remove(gone);
  c.mover.Add(Part(300), 0, 0b10);
  EXPECT_TRUE(c.mover.MakeRoom(Part(1000), kGenerous).has_value());
}

}  // namespace
}  // namespace yard::sched::frag
