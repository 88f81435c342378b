#include "tune/study.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tune/testing/studies.h"

namespace yard::tune {
namespace {

using testing::RunOptions;

TrialNumber Number(std::int64_t n) {
  return TrialNumber(n);
}

Study MakeStudy(Space space, StudyOptions options) {
  return Study::Make(std::move(space), std::move(options)).value();
}

std::size_t Distinct(const Study& study) {
  std::set<std::string> keys;
  for (const Trial& trial : study.trials()) {
    std::string key;
    for (std::size_t i = 0; i < trial.configuration.size(); ++i) {
      key += std::to_string(trial.configuration.At(i).value_or(-1)) + " ";
    }
    keys.insert(key);
  }
  return keys.size();
}

class EverySampler : public ::testing::TestWithParam<SamplerKind> {};

INSTANTIATE_TEST_SUITE_P(Study, EverySampler,
                         ::testing::Values(SamplerKind::kAuto, SamplerKind::kRandom,
                                           SamplerKind::kGrid, SamplerKind::kSobol,
                                           SamplerKind::kTpe, SamplerKind::kTpeUnivariate,
                                           SamplerKind::kGp, SamplerKind::kCmaEs,
                                           SamplerKind::kNsga2, SamplerKind::kNsga3));

TEST_P(EverySampler, SuggestsOnlyConfigurationsOfTheSpace) {
  for (const Space& space : {testing::Mixed(), testing::Layers()}) {
    RunOptions options{.study = {.seed = 3, .sampler = GetParam()}, .trials = 40, .pending = 4};
    Study study = testing::RunStudy(
        space, [](const Space& s, const Configuration& c) { return s.Encode(c)[0]; }, options);
    for (const Trial& trial : study.trials()) {
      ASSERT_TRUE(study.space().Validate(trial.configuration));
    }
  }
}

TEST_P(EverySampler, RepeatsItselfForTheSameSeedAndNotForAnother) {
  auto run = [](std::uint64_t seed) {
    RunOptions options{.study = {.seed = seed, .sampler = GetParam()}, .trials = 30, .pending = 3};
    Study study = testing::RunStudy(testing::Mixed(), testing::MixedBowl, options);
    return std::vector<Trial>(study.trials().begin(), study.trials().end());
  };
  std::vector<Trial> first = run(1);
  std::vector<Trial> same = run(1);
  std::vector<Trial> other = run(2);
  bool differs = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].configuration, same[i].configuration) << i;
    differs = differs || first[i].configuration != other[i].configuration;
  }
  EXPECT_TRUE(differs);
}

TEST_P(EverySampler, GoesOnWithTheSameSuggestionAfterARestart) {
  for (std::size_t killed_after : {0, 7, 26}) {
    RunOptions options{.study = {.seed = 5, .sampler = GetParam()},
                       .trials = killed_after + 1,
                       .pending = 4,
                       .end = testing::RunEnd::kLeaveRunning};
    Study study = testing::RunStudy(testing::Mixed(), testing::MixedBowl, options);
    std::vector<Trial> stored(study.trials().begin(), study.trials().end());
    Study restored = Study::Restore(testing::Mixed(), options.study, stored).value();
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(study.Ask().configuration, restored.Ask().configuration)
          << killed_after << " " << i;
    }
  }
}

TEST_P(EverySampler, NeverSuggestsTwiceOnADiscreteSpaceWith16Running) {
  RunOptions options{
      .study = {.seed = 1, .sampler = GetParam(), .parallelism = 16}, .trials = 64, .pending = 16};
  Study study = testing::RunStudy(testing::Choices(3, 4), testing::Mismatch, options);
  EXPECT_EQ(Distinct(study), 64u);
  EXPECT_EQ(testing::Mismatch(
                study.space(),
                study.trials()[static_cast<std::size_t>(study.Best()->value)].configuration),
            0);
}

TEST(Study, RunsTheBestAgainOnceEverythingWasTried) {
  Study study = testing::RunStudy(testing::Choices(1, 3), testing::Mismatch, {.trials = 3});
  const Trial& again = study.Ask();
  EXPECT_EQ(again.repeat_of, study.Best());
  EXPECT_EQ(again.origin, Origin::kRepeat);
}

TEST(Study, AveragesTheRepeatsOfAConfiguration) {
  Study study = MakeStudy(testing::Floats(1), {.repeats = 3});
  for (int i = 0; i < 6; ++i) study.Ask();
  EXPECT_EQ(Distinct(study), 2u);
  EXPECT_EQ(study.trials()[2].repeat_of, Number(0));
  ASSERT_TRUE(study.Tell(Number(0), {.values = {1}}));
  ASSERT_TRUE(study.Tell(Number(2), {.values = {3}}));
  EXPECT_TRUE(study.history().finished.empty());
  ASSERT_TRUE(study.Tell(Number(1), {.values = {5}}));
  ASSERT_EQ(study.history().finished.size(), 1u);
  EXPECT_EQ(study.history().finished[0].loss(), 3);
  EXPECT_EQ(study.history().finished[0].count, 3);
}

TEST(Study, GivesRepeatsTheSameDerivedValues) {
  Space space =
      Space::Make({.parameters = {{"x", FloatDomain{0, 1}}}, .derived = {{"y", "2 * x"}}}).value();
  Study study = MakeStudy(space, {.repeats = 2});
  std::vector<double> first = study.Ask().derived;
  EXPECT_EQ(study.Ask().derived, first);
}

TEST(Study, RefusesASecondEndAndReportsAfterIt) {
  Study study = MakeStudy(testing::Floats(1), {});
  study.Ask();
  EXPECT_TRUE(study.Report(Number(0), 1, 0.5));
  EXPECT_EQ(study.Report(Number(0), 1, 0.6).error().code, Code::kConflict);
  EXPECT_TRUE(study.Tell(Number(0), {.values = {1}}));
  EXPECT_EQ(study.Tell(Number(0), {.values = {2}}).error().code, Code::kPrecondition);
  EXPECT_EQ(study.Report(Number(0), 2, 0.5).error().code, Code::kPrecondition);
  EXPECT_EQ(study.Tell(Number(7), {.values = {2}}).error().code, Code::kNotFound);
  EXPECT_EQ(study.trials()[0].values[0], 1);
}

TEST(Study, CountsAValueThatIsNotANumberAsFailed) {
  Study study = MakeStudy(testing::Floats(2), {});
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(study.Tell(study.Ask().number, {.values = {std::nan("")}}));
  }
  EXPECT_EQ(study.trials()[0].state, TrialState::kFailed);
  EXPECT_FALSE(study.Best().has_value());
  EXPECT_EQ(Distinct(study), 30u);
}

TEST(Study, MaximizesIfAsked) {
  Study study = MakeStudy(testing::Floats(1, 0, 1), {.directions = {Direction::kMaximize}});
  for (int i = 0; i < 20; ++i) {
    const Trial& trial = study.Ask();
    ASSERT_TRUE(study.Tell(trial.number, {.values = {*trial.configuration.At(0)}}));
  }
  EXPECT_GT(*study.trials()[static_cast<std::size_t>(study.Best()->value)].configuration.At(0),
            0.99);
}

TEST(Study, RespectsConstraints) {
  Space space = Space::Make({.parameters = {{"a", FloatDomain{0, 1}}, {"b", FloatDomain{0, 1}}},
                             .constraints = {"a + b <= 0.5"}})
                    .value();
  RunOptions options{.trials = 40};
  Study study = testing::RunStudy(
      space, [](const Space&, const Configuration& c) { return -*c.At(0) - 2 * *c.At(1); },
      options);
  for (const Trial& t : study.trials()) EXPECT_TRUE(study.space().Satisfies(t.configuration));
  EXPECT_LT(study.trials()[static_cast<std::size_t>(study.Best()->value)].values[0], -0.9);
}

// Nothing else of it could be found, and there was no trial to measure again.
TEST(Study, BeginsWithThePointByWhichItsConstraintsWereFoundToHold) {
  Rng rng(0);  // as Space::Make draws
  const double known = testing::Floats(1).RandomPoint(rng)[0];
  const double value = *testing::Floats(1).Decode(Point{known}).At(0);
  std::string name = testing::Floats(1).parameters()[0].name;
  Space space = Space::Make({.parameters = {testing::Floats(1).parameters()[0]},
                             .constraints = {fmt::format("{} > {:.17}", name, value - 1e-9),
                                             fmt::format("{} < {:.17}", name, value + 1e-9)}})
                    .value();
  Study study = Study::Make(std::move(space), {.seed = 7, .sampler = SamplerKind::kRandom}).value();
  EXPECT_EQ(study.Ask().configuration.At(0), value);
  EXPECT_EQ(study.Ask().repeat_of, TrialNumber(0));
}

TEST(Study, EstimatesThePrunedByThoseThatWereAsGoodAtTheSameStep) {
  Study study = MakeStudy(testing::Floats(1), {});
  for (int i = 0; i < 4; ++i) {
    TrialNumber number = study.Ask().number;
    ASSERT_TRUE(study.Report(number, 1, 10.0 * i));
    ASSERT_TRUE(study.Tell(number, {.values = {100.0 + i}}));
  }
  TrialNumber pruned = study.Ask().number;
  ASSERT_TRUE(study.Report(pruned, 1, 21));
  ASSERT_TRUE(study.Tell(pruned, {.state = TrialState::kPruned}));
  EXPECT_TRUE(study.history().finished.back().pruned);
  EXPECT_EQ(study.history().finished.back().loss(), 102);  // of 30, 20 and 10: 103, 102, 101
}

TEST(Study, RestoresAMixedSequenceOfRepeatsAndFailures) {
  StudyOptions options{.seed = 9, .repeats = 2};
  Study study = MakeStudy(testing::Mixed(), options);
  for (int i = 0; i < 24; ++i) {
    study.Ask();
    TrialNumber number = study.Ask().number;
    Outcome outcome{
        .values = {testing::MixedBowl(
            study.space(), study.trials()[static_cast<std::size_t>(number.value)].configuration)}};
    if (i % 5 == 0) outcome = {.state = TrialState::kFailed};
    ASSERT_TRUE(study.Tell(number, outcome));
    if (i % 3 == 0) continue;
    ASSERT_TRUE(study.Tell(Number(number.value - 1), outcome));
  }
  std::vector<Trial> stored(study.trials().begin(), study.trials().end());
  Study restored = Study::Restore(testing::Mixed(), options, stored).value();
  EXPECT_EQ(restored.history().finished.size(), study.history().finished.size());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(study.Ask().configuration, restored.Ask().configuration);
}

}  // namespace
}  // namespace yard::tune
