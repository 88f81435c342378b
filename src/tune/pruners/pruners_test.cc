#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tune/pruners/asha.h"
#include "tune/pruners/patient.h"
#include "tune/pruners/pbt.h"
#include "tune/pruners/percentile.h"
#include "tune/pruners/threshold.h"
#include "tune/pruners/wilcoxon.h"
#include "tune/testing/studies.h"

namespace yard::tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Values at steps 1, 2, 3, ...
Curve Of(std::int64_t trial, std::vector<double> values, TrialState state = TrialState::kRunning) {
  Curve curve{TrialNumber(trial), state, {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    curve.reports.push_back({static_cast<std::int64_t>(i) + 1, values[i]});
  }
  return curve;
}

std::vector<Curve> Complete(std::vector<std::vector<double>> values) {
  std::vector<Curve> curves;
  for (std::vector<double>& v : values) {
    curves.push_back(
        Of(static_cast<std::int64_t>(curves.size()), std::move(v), TrialState::kComplete));
  }
  return curves;
}

Advice Last(const Pruner& pruner, const std::vector<Curve>& curves) {
  return pruner.Judge(curves, curves.size() - 1).advice;
}

TEST(MedianPruner, StopsWhatIsWorseThanHalfAtTheSameStep) {
  std::vector<Curve> curves = Complete({{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}});
  PercentilePruner pruner;
  curves.push_back(Of(5, {9, 3.5}));
  EXPECT_EQ(Last(pruner, curves), Advice::kStop);
  curves.back() = Of(5, {9, 2.9});
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
  curves.back() = Of(5, {2.9, 9});  // its best counts
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
  curves.back() = Of(5, {std::nan("")});
  EXPECT_EQ(Last(pruner, curves), Advice::kStop);
}

TEST(MedianPruner, WaitsForWarmupAndEnoughTrials) {
  std::vector<Curve> curves = Complete({{1, 1}, {2, 2}, {3, 3}, {4, 4}});
  curves.push_back(Of(5, {9}));
  EXPECT_EQ(Last(PercentilePruner(), curves), Advice::kContinue);
  EXPECT_EQ(Last(PercentilePruner({.startup_trials = 4, .warmup_steps = 2}), curves),
            Advice::kContinue);
  EXPECT_EQ(Last(PercentilePruner({.startup_trials = 4}), curves), Advice::kStop);
  EXPECT_EQ(Last(PercentilePruner({.percentile = 25, .startup_trials = 4}), curves), Advice::kStop);
}

TEST(PatientPruner, StopsAfterReportsWithoutImprovement) {
  PatientPruner pruner({.patience = 2}, nullptr);
  EXPECT_EQ(Last(pruner, {Of(0, {3, 1, 2, 2, 2})}), Advice::kStop);
  EXPECT_EQ(Last(pruner, {Of(0, {3, 1, 2, 0.5, 2})}), Advice::kContinue);
  EXPECT_EQ(Last(pruner, {Of(0, {3, 1, 2})}), Advice::kContinue);
  PatientPruner asks({.patience = 2}, std::make_unique<ThresholdPruner>(std::nullopt, 10));
  EXPECT_EQ(Last(asks, {Of(0, {3, 1, 2, 2, 2})}), Advice::kContinue);
}

TEST(ThresholdPruner, StopsOutsideItsBounds) {
  ThresholdPruner pruner(0, 10);
  EXPECT_EQ(Last(pruner, {Of(0, {11})}), Advice::kStop);
  EXPECT_EQ(Last(pruner, {Of(0, {-1})}), Advice::kStop);
  EXPECT_EQ(Last(pruner, {Of(0, {5})}), Advice::kContinue);
}

TEST(Asha, LetsTheBestThirdPassEachRung) {
  AshaPruner pruner({.min_steps = 1, .max_steps = 9, .eta = 3});
  EXPECT_THAT(std::vector(pruner.rungs().begin(), pruner.rungs().end()), ElementsAre(1, 3));
  std::vector<Curve> curves = Complete({{1}, {2}, {3}, {4}, {5}});
  curves.push_back(Of(5, {1.5}));
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
  curves.back() = Of(5, {2.5});
  EXPECT_EQ(Last(pruner, curves), Advice::kStop);
  curves.back() = Of(5, {2.5, 9});  // step 2 is no rung
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
  EXPECT_EQ(Last(pruner, {Of(0, {7})}), Advice::kContinue);  // the first to arrive
}

TEST(Asha, PausesAndPromotesWhenEnoughOthersAreWorse) {
  AshaPruner pruner(
      {.min_steps = 1, .max_steps = 9, .eta = 3, .mode = AshaOptions::Mode::kPromote});
  std::vector<Curve> curves = {Of(0, {2})};
  EXPECT_EQ(Last(pruner, curves), Advice::kPause);
  curves[0].state = TrialState::kPruned;
  EXPECT_TRUE(pruner.Promotions(curves).empty());
  curves.push_back(Of(1, {3}));
  curves.push_back(Of(2, {4}));
  EXPECT_EQ(Last(pruner, curves), Advice::kPause);
  EXPECT_THAT(pruner.Promotions(curves), ElementsAre(TrialNumber(0)));
  // It goes on as trial 3, which has its curve.
  curves.push_back(Of(3, {2, 2, 2}));
  curves[0].reports.clear();
  EXPECT_EQ(Last(pruner, curves), Advice::kPause);  // the first at the next rung
  EXPECT_TRUE(pruner.Promotions(curves).empty());
}

TEST(Hyperband, HasAMostPatientBracketAndSharesTrials) {
  HyperbandPruner pruner({.min_steps = 1, .max_steps = 27, .eta = 3});
  ASSERT_EQ(pruner.brackets(), 4u);
  std::vector<int> counts(4, 0);
  for (std::int64_t i = 0; i < 1000; ++i) ++counts[pruner.BracketOf(TrialNumber(i))];
  EXPECT_GT(counts[0], counts[1]);
  EXPECT_GT(counts[1], counts[2]);
  EXPECT_GT(counts[3], 0);
  std::int64_t patient = 0;
  while (pruner.BracketOf(TrialNumber(patient)) != 3) ++patient;
  std::vector<Curve> curves = Complete({{1}, {1}, {1}, {1}, {1}, {1}});
  curves.push_back(Of(patient, {99}));
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
}

TEST(Wilcoxon, KnowsTheExactChance) {
  EXPECT_DOUBLE_EQ(SignedRankP(std::vector<double>{1, 2, 3}), 1.0 / 8);
  EXPECT_DOUBLE_EQ(SignedRankP(std::vector<double>{-1, -2, -3}), 1);
  EXPECT_NEAR(SignedRankP(std::vector<double>(40, 1.0)), 0, 1e-6);
}

TEST(Wilcoxon, StopsWhatLosesOnCommonFolds) {
  WilcoxonPruner pruner;
  std::vector<Curve> curves = Complete({{1, 1, 1, 1, 1, 1}});
  curves.push_back(Of(1, {2, 2, 2, 2}));
  EXPECT_EQ(Last(pruner, curves), Advice::kStop);
  EXPECT_THAT(pruner.Judge(curves, 1).reason, HasSubstr("trial 0 on 4 common steps"));
  curves.back() = Of(1, {2, 0.5, 2, 0.4});
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
  curves.back() = Of(1, {2, INFINITY, 2, 2});
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
}

TEST(RankCurves, MakeSeveralObjectivesOneForAnyPruner) {
  std::vector<std::vector<Curve>> objectives = {{Of(0, {1}), Of(1, {2}), Of(2, {3})},
                                                {Of(0, {3}), Of(1, {2}), Of(2, {4})}};
  std::vector<Curve> ranks = RankCurves(objectives);
  EXPECT_EQ(ranks[0].reports[0].value, 0);
  EXPECT_EQ(ranks[1].reports[0].value, 0);
  EXPECT_EQ(ranks[2].reports[0].value, 2);
}

TEST(Pbt, TheWorstGivesItsPlaceToASuccessorOfTheBest) {
  PbtPruner pruner({.interval_steps = 2, .least = 4}, 1);
  std::vector<Curve> curves;
  for (std::int64_t i = 0; i < 7; ++i) {
    curves.push_back(Of(i, {9, static_cast<double>(i), static_cast<double>(i)}));
  }
  curves.push_back(Of(7, {0, 9}));
  Verdict verdict = pruner.Judge(curves, 7);
  ASSERT_TRUE(verdict.successor_from);
  EXPECT_EQ(verdict.advice, Advice::kStop);
  EXPECT_LT(verdict.successor_from->value, 2);
  EXPECT_THAT(verdict.reason, HasSubstr("among the worst 2 of 8 at step 2"));
  EXPECT_EQ(pruner.Judge(curves, 7).successor_from, verdict.successor_from);  // the seed decides
  curves.back() = Of(7, {0, std::nan("")});
  EXPECT_TRUE(pruner.Judge(curves, 7).successor_from);
  curves.back() = Of(7, {0, 3.5});
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
  curves.back() = Of(7, {9});
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);  // not there yet
  curves.back() = Of(7, {0, 9, 9});
  EXPECT_EQ(Last(pruner, curves), Advice::kStop);  // the others may have come later
}

TEST(Pbt, WhoComesEarlyIsComparedAtTheStepWhereTheOthersAre) {
  PbtPruner pruner({.interval_steps = 2, .least = 4}, 1);
  std::vector<Curve> curves;
  for (std::int64_t i = 0; i < 5; ++i) curves.push_back(Of(i, {1, 1, 1}));
  curves.push_back(Of(5, {9, 9, 9, 9}));  // alone at step 4
  Verdict verdict = pruner.Judge(curves, 5);
  EXPECT_EQ(verdict.advice, Advice::kStop);
  EXPECT_THAT(verdict.reason, HasSubstr("of 6 at step 2"));
  // A successor that began at step 3 is not compared at step 2.
  curves[5].reports = {{3, 9}};
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
}

TEST(Pbt, NothingIsReplacedAtTheEndOfItsTraining) {
  PbtPruner pruner({.interval_steps = 1, .max_steps = 2, .least = 2}, 1);
  std::vector<Curve> curves = {Of(0, {1, 1}), Of(1, {9})};
  EXPECT_EQ(Last(pruner, curves), Advice::kStop);
  curves[1] = Of(1, {9, 9});
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
}

TEST(Pbt, StepsBelowZeroAreNotCompared) {
  PbtPruner pruner({.interval_steps = 10, .least = 2}, 1);
  constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  std::vector<Curve> curves;
  for (std::int64_t i = 0; i < 4; ++i)
    curves.push_back({TrialNumber(i), TrialState::kRunning, {{kFirst, 1}, {kLast, 1}}});
  curves.push_back({TrialNumber(4), TrialState::kRunning, {{kFirst + 3, 9}}});
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
}

TEST(Pbt, WhatWasStoppedIsNoExampleAndFewAreNotCompared) {
  PbtPruner pruner({.interval_steps = 1, .least = 4}, 1);
  std::vector<Curve> curves = Complete({{1}, {2}, {3}});
  for (Curve& curve : curves) curve.state = TrialState::kPruned;
  curves.push_back(Of(3, {9}));
  EXPECT_EQ(Last(pruner, curves), Advice::kContinue);
  curves[0].state = TrialState::kRunning;
  EXPECT_EQ(pruner.Judge(curves, 3).successor_from, TrialNumber(0));
  curves.erase(curves.begin() + 1);
  EXPECT_EQ(pruner.Judge(curves, 2).advice, Advice::kContinue);
}

TEST(Pbt, ExploringStaysInsideTheSpace) {
  for (const Space& space : {testing::Mixed(), testing::Layers()}) {
    Rng rng(5);
    Configuration at = space.Decode(space.RandomPoint(rng));
    for (int i = 0; i < 100; ++i) {
      at = ExplorePbt(space, {}, at, rng);
      ASSERT_TRUE(space.Validate(at)) << i;
    }
  }
  Space space = testing::Mixed();
  Rng rng(6);
  Configuration from = space.Decode(space.RandomPoint(rng));
  Configuration changed = ExplorePbt(space, {.mutable_parameters = {0}}, from, rng);
  EXPECT_NEAR(*changed.At(1) / *from.At(1), 1, 1e-12);
}

}  // namespace
}  // namespace yard::tune
