#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "tune/confidence.h"
#include "tune/importance/fanova.h"
#include "tune/importance/ped_anova.h"
#include "tune/testing/studies.h"

namespace yard::tune {
namespace {

// x matters most, lr a little, the others not at all.
std::vector<Observation> Observed(const Space& space) {
  Rng rng(8);
  std::vector<Observation> observations;
  for (int i = 0; i < 300; ++i) {
    Configuration c = space.Decode(space.RandomPoint(rng));
    Point x = space.Encode(c);
    double loss = 10 * (x[0] - 0.4) * (x[0] - 0.4) + (x[1] - 0.2) * (x[1] - 0.2);
    observations.push_back({.x = x, .latent = x, .losses = {loss}});
  }
  return observations;
}

TEST(Importance, BothMethodsNameTheParameterThatMatters) {
  Space space = testing::Mixed();
  std::vector<Observation> observations = Observed(space);
  for (const std::vector<double>& importance :
       {PedAnova(space, observations), Fanova(space, observations)}) {
    ASSERT_EQ(importance.size(), 5u);
    EXPECT_GT(importance[0], 0.6);
    for (std::size_t i = 2; i < 5; ++i) EXPECT_LT(importance[i], 0.2);
    EXPECT_LE(std::accumulate(importance.begin(), importance.end(), 0.0), 1.0 + 1e-9);
  }
  EXPECT_GT(Fanova(space, observations)[0], 0.85);
}

TEST(Importance, IsNothingWithoutTrials) {
  Space space = testing::Mixed();
  EXPECT_EQ(PedAnova(space, {}), std::vector<double>(5, 0.0));
  EXPECT_EQ(Fanova(space, {}), std::vector<double>(5, 0.0));
}

TEST(Importance, CountsConditionalParametersWhereTheyExist) {
  Study study = testing::RunStudy(
      testing::Layers(), [](const Space& s, const Configuration& c) { return s.Encode(c)[1]; },
      {.study = {.sampler = SamplerKind::kRandom}, .trials = 100});
  std::vector<double> importance = PedAnova(study.space(), study.history().finished);
  EXPECT_GT(importance[1], 0.5);
}

TEST(Confidence, IsTheNarrowerTheMoreRuns) {
  Study study = Study::Make(testing::Floats(1), {.repeats = 4}).value();
  for (double value : {1.0, 1.2, 0.8, 1.0, 5.0, 5.2, 4.8, 5.0}) {
    ASSERT_TRUE(study.Tell(study.Ask().number, {.values = {value}}));
  }
  BestEstimate best = EstimateBest(study).value();
  EXPECT_EQ(best.trial.value, 0);
  EXPECT_DOUBLE_EQ(best.mean, 1);
  EXPECT_EQ(best.runs, 4u);
  EXPECT_NEAR(best.high - best.mean, 1.96 * *RunDeviation(study.trials()) / 2, 1e-4);
}

TEST(Confidence, TheBestSoFarNeverGetsWorse) {
  Study study = testing::RunStudy(testing::Floats(2), testing::Sphere, {.trials = 12});
  std::vector<double> best = BestSoFar(study);
  ASSERT_EQ(best.size(), 12u);
  EXPECT_TRUE(std::ranges::is_sorted(best, std::greater()));
}

TEST(Terminator, StopsOnceNoiseHidesWhatIsLeftToGain) {
  auto noisy = [](const Space& s, const Configuration& c) {
    double x = *c.At(0);
    return testing::Sphere(s, c) / 50 + 0.3 * std::sin(1e6 * x);
  };
  testing::RunOptions options{.study = {.sampler = SamplerKind::kGp}, .trials = 15};
  EXPECT_FALSE(ShouldStop(testing::RunStudy(testing::Floats(2), noisy, options)).stop);
  options.trials = 60;
  StopAdvice advice = ShouldStop(testing::RunStudy(testing::Floats(2), noisy, options));
  EXPECT_TRUE(advice.stop) << advice.expected_gain << " " << advice.noise;
}

}  // namespace
}  // namespace yard::tune
