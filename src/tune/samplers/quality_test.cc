// How good the samplers are: fixed thresholds over several seeds. Deterministic, so never flaky.
#include <gtest/gtest.h>

#include "tune/numerics/pareto.h"
#include "tune/testing/studies.h"

namespace yard::tune {
namespace {

using testing::BestValue;
using testing::MeanLogGap;
using testing::RunOptions;

RunOptions With(SamplerKind sampler, std::size_t trials) {
  return {.study = {.sampler = sampler}, .trials = trials};
}

TEST(Quality, SobolFillsTheSpaceMoreEvenlyThanRandom) {
  double sobol = MeanLogGap(testing::Floats(2), testing::Sphere, With(SamplerKind::kSobol, 64), 8);
  EXPECT_LT(sobol, -0.4);
}

TEST(Quality, TpeIsFarBetterThanRandom) {
  Space space = testing::Floats(4);
  double random = MeanLogGap(space, testing::Sphere, With(SamplerKind::kRandom, 100), 3);
  EXPECT_LT(MeanLogGap(space, testing::Sphere, With(SamplerKind::kTpe, 100), 3), random - 0.5);
  EXPECT_LT(MeanLogGap(space, testing::Sphere, With(SamplerKind::kTpeUnivariate, 100), 3),
            random - 0.5);
}

TEST(Quality, TheGaussianProcessFindsASmoothMinimum) {
  EXPECT_LT(MeanLogGap(testing::Floats(3), testing::Sphere, With(SamplerKind::kGp, 35), 2), -2);
  EXPECT_LT(MeanLogGap(testing::Mixed(), testing::MixedBowl, With(SamplerKind::kGp, 50), 2), -1);
}

TEST(Quality, EvolutionConvergesOnAnEllipse) {
  EXPECT_LT(MeanLogGap(testing::Floats(4), testing::Ellipse, With(SamplerKind::kCmaEs, 1500), 2),
            -6);
}

TEST(Quality, TheDefaultFindsASmoothMinimumToManyDigits) {
  EXPECT_LT(MeanLogGap(testing::Floats(3), testing::Sphere, With(SamplerKind::kAuto, 60), 2), -4);
  EXPECT_LT(MeanLogGap(testing::Floats(3), testing::Ellipse, With(SamplerKind::kAuto, 80), 2), -1);
}

TEST(Quality, TheDefaultFollowsAValleyAMillionTimesSteeperThanItsFloor) {
  auto valley = [](const Space&, const Configuration& c) {
    double value = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      double z = *c.At(i) + 1.7 - 0.4 * static_cast<double>(i);
      double bent = i > 0 ? z - 0.1 * *c.At(0) * *c.At(0) : z;
      value += (i > 0 ? 1e6 : 1) * bent * bent;
    }
    return value;
  };
  EXPECT_LT(MeanLogGap(testing::Floats(5), valley, With(SamplerKind::kAuto, 100), 1), 5);
}

TEST(Quality, TheDefaultFindsTheBestOfManyChoices) {
  RunOptions options = With(SamplerKind::kAuto, 60);
  EXPECT_EQ(BestValue(testing::Choices(5, 4), testing::Mismatch, options), 0);
  options.pending = 8;
  options.study.parallelism = 8;
  EXPECT_EQ(BestValue(testing::Choices(5, 4), testing::Mismatch, options), 0);
}

// Two objectives whose best trade-off is the line from one centre to the other.
double FrontVolume(SamplerKind sampler, std::size_t trials) {
  StudyOptions options{
      .seed = 1, .directions = {Direction::kMinimize, Direction::kMinimize}, .sampler = sampler};
  Study study = Study::Make(testing::Floats(3, 0, 1), options).value();
  for (std::size_t t = 0; t < trials; ++t) {
    const Trial& trial = study.Ask();
    double first = 0;
    double second = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      double x = *trial.configuration.At(i);
      first += (x - 0.2) * (x - 0.2);
      second += (x - 0.8) * (x - 0.8);
    }
    if (!study.Tell(trial.number, {.values = {first, second}})) return 0;
  }
  std::vector<Losses> points;
  for (const Observation& o : study.history().finished) points.push_back(o.losses);
  return Hypervolume(points, {1.2, 1.2});
}

TEST(Quality, SeveralObjectivesCoverMoreOfTheFrontThanRandom) {
  double random = FrontVolume(SamplerKind::kRandom, 300);
  EXPECT_GT(FrontVolume(SamplerKind::kNsga2, 300), random + 0.01);
  EXPECT_GT(FrontVolume(SamplerKind::kNsga3, 300), random + 0.01);
  EXPECT_GT(FrontVolume(SamplerKind::kTpe, 150), random + 0.01);
}

}  // namespace
}  // namespace yard::tune
