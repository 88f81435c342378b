#include "sched/place/frag.h"

#include <initializer_list>
#include <memory>

#include <gtest/gtest.h>

#include "base/random.h"
#include "sched/place/frag_fgd.h"
#include "sched/place/frag_index.h"
#include "sched/place/frag_learner.h"
#include "sched/place/frag_outlook.h"
#include "sched/place/frag_price.h"

namespace yard::sched::frag {
namespace {

NodeShape Node(std::int64_t cores, std::initializer_list<int> gpus, std::int16_t model = 0) {
  NodeShape node{cores * 1000, 1 << 20, model, static_cast<std::int16_t>(gpus.size()), {}};
  int i = 0;
  for (int milli : gpus) node.gpu_milli[i++] = static_cast<std::int16_t>(milli);
  return node;
}

TaskShape Part(std::int16_t milli, std::int64_t cores = 1) {
  return {cores * 1000, 1024, 1, milli, 0};
}

TaskShape Whole(std::int16_t gpus, std::int64_t cores = 1) {
  return {cores * 1000, 1024, gpus, 1000, 0};
}

TaskShape OnModel(TaskShape task, int model) {
  task.models = std::uint64_t{1} << model;
  return task;
}

// The first node of lowest loss.
int Best(const PlacementRule& rule, std::initializer_list<NodeShape> nodes, const TaskShape& task) {
  FragIndex index(nodes, std::shared_ptr<const PlacementRule>(&rule, [](auto*) {}));
  const auto choice = index.Find(task);
  return choice ? choice->node : -1;
}

TEST(Fits, NeedsDistinctGpusWithEnoughFree) {
  EXPECT_TRUE(Fits(Node(8, {500, 500}), {1000, 0, 2, 500, 0}));
  EXPECT_FALSE(Fits(Node(8, {1000}), {1000, 0, 2, 500, 0}));
  EXPECT_FALSE(Fits(Node(8, {500, 500}), Whole(1)));
}

TEST(Fits, NeedsCpuMemoryAndAnAllowedModel) {
  EXPECT_FALSE(Fits(Node(8, {1000}), Whole(1, 9)));
  EXPECT_FALSE(Fits(Node(8, {1000}), (TaskShape{0, (1 << 20) + 1, 1, 1000, 0})));
  EXPECT_FALSE(Fits(Node(8, {1000}, 1), OnModel(Whole(1), 0)));
  EXPECT_TRUE(Fits(Node(8, {1000}, 1), OnModel(Whole(1), 1)));
}

TEST(Take, IsUndoneByGiveBack) {
  NodeShape node = Node(8, {1000, 600});
  const NodeShape before = node;
  Take(node, Part(350, 3), 0b10);
  EXPECT_EQ(node.gpu_milli[1], 250);
  EXPECT_EQ(node.cpu_milli, 5000);
  GiveBack(node, Part(350, 3), 0b10);
  EXPECT_EQ(node, before);
}

TEST(TypicalShapes, CoverMostTasksWithTheMostFrequentFirst) {
  const ShapeMix seen = {{Part(100), 5}, {Part(200), 60}, {Part(300), 30}, {Part(100), 5}};
  const ShapeMix typical = TypicalShapes(seen, 90);
  ASSERT_EQ(typical.size(), 2U);
  EXPECT_EQ(typical[0].shape, Part(200));
  EXPECT_EQ(typical[1].weight, 30);
}

// Half of the tasks are halves, half whole. On GPUs with 1000 and 500 free the halves waste
// nothing and a whole GPU cannot use the 500: the fragment is 250.
TEST(Fgd, ScoresTheDropOfTheFragment) {
  const FgdRule rule({{Part(500), 1}, {Whole(1), 1}});
  const NodeShape node = Node(8, {1000, 500});
  EXPECT_EQ(rule.Worth(node), -500);  // 250 x total weight 2
  // Filling the half: 0.25 GPU less fragment, 100 x sigmoid(0.25) = 56.2.
  EXPECT_EQ(rule.Loss(node, rule.Worth(node), Part(500), 0b10), -56);
  // Breaking the whole one: 0.25 GPU more, 100 x sigmoid(-0.25) = 43.8.
  EXPECT_EQ(rule.Loss(node, rule.Worth(node), Part(500), 0b01), -43);
  EXPECT_EQ(BestSpot(rule, node, Part(500))->gpus, 0b10U);
}

TEST(Fgd, CountsEverythingFreeWhereAShapeDoesNotFit) {
  const FgdRule rule({{Whole(2), 1}});
  EXPECT_EQ(rule.Worth(Node(8, {1000, 900})), -1900);
  EXPECT_EQ(rule.Worth(Node(8, {1000, 1000, 300})), -300);
}

TEST(PriceFreeParts, GivesHalvesHalfAGpuAndLessNothing) {
  const auto values = PriceFreeParts({{Part(500), 10}});
  EXPECT_EQ(FreePartValue(values, 1000), kPriceOne);
  EXPECT_EQ(FreePartValue(values, 500), kPriceOne / 2);
  EXPECT_EQ(FreePartValue(values, 490), 0);
}

TEST(PriceFreeParts, AreWorthlessWhereOnlyRareFractionsFit) {
  const auto values = PriceFreeParts({{Part(810), 100}, {Part(160), 5}, {Part(500), 100}});
  EXPECT_LT(FreePartValue(values, 190), kPriceOne / 50);
  EXPECT_GT(FreePartValue(values, 500), kPriceOne / 3);
}

TEST(PriceFreeParts, GrowWithSizeForAnyMix) {
  SeededRandom random(7);
  for (int round = 0; round < 20; ++round) {
    ShapeMix mix;
    for (int i = 0; i < 8; ++i) {
      const auto milli = static_cast<std::int16_t>(1 + random.Below(1000));
      mix.push_back({Part(milli), static_cast<std::int64_t>(1 + random.Below(1000))});
    }
    const auto values = PriceFreeParts(mix);
    EXPECT_EQ(values[0], 0);
    EXPECT_EQ(values[kSizeSteps], kPriceOne);
    for (int i = 1; i <= kSizeSteps; ++i) EXPECT_GE(values[i], values[i - 1]);
  }
}

TEST(PriceModels, AreDearWhereMoreIsAskedThanThereIs) {
  ModelSupply supply{};
  supply[0] = 8000;
  supply[1] = 2000;
  const ShapeMix mix = {{Whole(1), 6}, {OnModel(Whole(1), 1), 4}};
  const auto prices = PriceModels(mix, PriceFreeParts(mix), supply);
  EXPECT_EQ(prices[1], kPriceOne);
  EXPECT_LT(prices[0], kPriceOne / 10);
}

TEST(PriceModels, AreNothingWhereNobodyInsists) {
  ModelSupply supply{};
  supply[0] = supply[1] = 4000;
  const ShapeMix mix = {{Whole(1), 1}};
  const auto prices = PriceModels(mix, PriceFreeParts(mix), supply);
  EXPECT_LT(prices[0] + prices[1], kPriceOne / 100);
}

TEST(Outlook, CompletesAGpuRatherThanOpeningOne) {
  const Outlook outlook({{Part(470), 5}, {Part(530), 5}, {Whole(1), 5}});
  EXPECT_EQ(Best(outlook, {Node(90, {1000, 1000}), Node(90, {470, 0})}, Part(470)), 1);
}

TEST(Outlook, LeavesAHoleThatAnotherFractionFills) {
  const Outlook outlook({{Part(700), 10}, {Part(300), 10}, {Part(600), 10}, {Part(400), 10}});
  // In the hole of 700 a 300 would leave 400, which is wanted; in that of 400 only 100.
  EXPECT_EQ(Best(outlook, {Node(90, {400}), Node(90, {700})}, Part(300)), 1);
}

TEST(Outlook, SendsCpuHeavyTasksWhereCpuIsPlentiful) {
  const Outlook outlook({{Whole(1, 4), 5}, {Whole(1, 20), 5}});
  const NodeShape poor = Node(40, {1000, 1000, 1000, 1000});
  const NodeShape rich = Node(100, {1000, 1000, 1000, 1000});
  EXPECT_EQ(Best(outlook, {poor, rich}, Whole(1, 20)), 1);
  EXPECT_EQ(Best(outlook, {rich, poor}, Whole(1, 4)), 1);
}

TEST(Outlook, SendsTasksWithoutGpusWhereNoGpuNeedsTheCpu) {
  const Outlook outlook({{Whole(1, 10), 5}, {{8000, 1024, 0, 0, 0}, 5}});
  EXPECT_EQ(Best(outlook, {Node(20, {1000, 1000}), Node(20, {0, 0})}, {8000, 1024, 0, 0, 0}), 1);
}

TEST(Outlook, KeepsScarceModelsForThoseWhoInsist) {
  ModelSupply supply{};
  supply[0] = 8000;
  supply[1] = 2000;
  const Outlook outlook({{Whole(1), 6}, {OnModel(Whole(1), 1), 4}}, supply);
  EXPECT_EQ(Best(outlook, {Node(90, {1000}, 1), Node(90, {1000}, 0)}, Whole(1)), 1);
}

TEST(Outlook, KeepsWholeNodesForTasksOfManyGpus) {
  const Outlook outlook({{Whole(1, 4), 90}, {Whole(4, 16), 10}});
  const NodeShape fresh = Node(40, {1000, 1000, 1000, 1000});
  const NodeShape begun = Node(40, {1000, 1000, 1000, 0});
  EXPECT_EQ(Best(outlook, {fresh, begun}, Whole(1, 4)), 1);
}

TEST(Outlook, OfNothingStillPlacesTightly) {
  const Outlook outlook({});
  EXPECT_EQ(Best(outlook, {Node(9, {1000}), Node(9, {300})}, Part(300)), 1);
}

TEST(MixLearner, AsksForANewOutlookAsItLearns) {
  MixLearner learner;
  int renewals = 0;
  for (int i = 0; i < 1000; ++i) renewals += learner.Observe(Part(500)) ? 1 : 0;
  EXPECT_GE(renewals, 8);
  EXPECT_LE(renewals, 16);
  EXPECT_EQ(learner.Mix().at(0).weight, 1000);
}

TEST(MixLearner, ForgetsOldWork) {
  MixLearner learner;
  for (int i = 0; i < 100; ++i) std::ignore = learner.Observe(Part(100));
  for (int i = 0; i < 1'000'000; ++i) std::ignore = learner.Observe(Part(200));
  EXPECT_EQ(learner.Mix().size(), 1U);
}

TaskShape RandomTask(SeededRandom& random) {
  TaskShape task{static_cast<std::int64_t>(random.Below(8) * 1000), 1024, 0, 0, 0};
  task.gpu_count = static_cast<std::int16_t>(random.Below(3));
  if (task.gpu_count > 0) task.gpu_milli = static_cast<std::int16_t>(100 * (1 + random.Below(10)));
  if (random.Below(4) == 0) task.models = 1 + random.Below(3);
  return task;
}

TEST(FragIndex, AnswersAsIfEveryNodeWereScoredAnew) {
  SeededRandom random(11);
  std::vector<NodeShape> nodes;
  for (int i = 0; i < 30; ++i) {
    nodes.push_back(Node(20, {1000, 1000, 1000, 1000}, static_cast<std::int16_t>(i % 2)));
  }
  const auto rule = std::make_shared<Outlook>(
      ShapeMix{{Part(300, 2), 5}, {Whole(1, 4), 3}, {Whole(2, 8), 1}}, SupplyOf(nodes));
  FragIndex index(nodes, rule);
  for (int step = 0; step < 500; ++step) {
    const TaskShape task = RandomTask(random);
    int expected = -1;
    std::int64_t least = 0;
    for (int i = 0; i < std::ssize(nodes); ++i) {
      const auto spot = BestSpot(*rule, index.nodes()[i], task);
      if (!spot || (expected >= 0 && spot->loss >= least)) continue;
      expected = i;
      least = spot->loss;
    }
    const auto choice = index.Find(task);
    ASSERT_EQ(choice ? choice->node : -1, expected) << "step " << step;
    if (choice) index.Take(choice->node, task, choice->spot.gpus);
  }
}

}  // namespace
}  // namespace yard::sched::frag
