#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tune/numerics/gp_model.h"
#include "tune/numerics/lbfgs.h"
#include "tune/numerics/niches.h"
#include "tune/numerics/normal.h"
#include "tune/numerics/pareto.h"
#include "tune/numerics/sobol.h"
#include "tune/numerics/warp.h"
#include "tune/rng.h"

namespace yard::tune {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST(Normal, QuantileInvertsTheDistribution) {
  for (double p : {1e-12, 1e-5, 0.02, 0.3, 0.5, 0.9, 0.999999}) {
    EXPECT_NEAR(NormalCdf(NormalQuantile(p)) / p, 1, 1e-9) << p;
  }
}

TEST(Normal, TailsStayExact) {
  EXPECT_NEAR(LogNormalCdf(-20.0001), LogNormalCdf(-19.9999), 0.005);
  EXPECT_NEAR(LogNormalCdf(-40), -804.608442, 1e-5);
  EXPECT_NEAR(LogNormalMass(-0.5, 0.5), std::log(0.38292492254802624), 1e-12);
  EXPECT_NEAR(LogNormalMass(30, 31), LogNormalCdf(-30), 1e-9);
  EXPECT_NEAR(LogImprovement(-5.999), LogImprovement(-6.001), 0.02);
  EXPECT_NEAR(LogImprovement(0), std::log(NormalDensity(0)), 1e-12);
}

TEST(Normal, ImprovementSlopeIsItsDerivative) {
  for (double z : {-30.0, -8.0, -2.0, 0.5, 3.0}) {
    double h = 1e-5;
    double numeric = (LogImprovement(z + h) - LogImprovement(z - h)) / (2 * h);
    EXPECT_NEAR(LogImprovementSlope(z) / numeric, 1, 1e-3) << z;
  }
}

TEST(Lbfgs, FindsTheMinimumInsideAndAtABound) {
  auto f = [](std::span<const double> x, std::span<double> g) {
    g[0] = 2 * (x[0] - 0.3) + 100 * (x[0] - x[1]);
    g[1] = -100 * (x[0] - x[1]) + 2 * (x[1] - 2);
    return (x[0] - 0.3) * (x[0] - 0.3) + 50 * (x[0] - x[1]) * (x[0] - x[1]) +
           (x[1] - 2) * (x[1] - 2);
  };
  Minimum wide = MinimizeLbfgs(f, {0, 0}, {{-5, -5}, {5, 5}});
  EXPECT_NEAR(wide.x[0], 1.14158, 1e-4);
  Minimum bound = MinimizeLbfgs(f, {0, 0}, {{0, 0}, {1, 1}});
  EXPECT_NEAR(bound.x[1], 1, 1e-9);
}

TEST(Sobol, HasOnePointInEveryCellAndSkipsAhead) {
  std::vector<double> points = SobolPoints(3, 0, 64, 7);
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<int> cells(64, 0);
    for (std::size_t i = 0; i < 64; ++i) ++cells[static_cast<std::size_t>(points[i * 3 + d] * 64)];
    EXPECT_EQ(*std::ranges::max_element(cells), 1) << d;
  }
  EXPECT_THAT(SobolPoints(3, 10, 1, 7), ElementsAre(points[30], points[31], points[32]));
  EXPECT_NE(SobolPoints(3, 0, 1, 8)[0], points[0]);
}

GpInputs Line(std::size_t n) {
  GpInputs inputs{
      .dimensions = 2, .categorical = {false, true}, .centre = {0.5, 0.5}, .unit = {1, 1}};
  for (std::size_t i = 0; i < n; ++i) {
    double x = static_cast<double>(i) / static_cast<double>(n);
    inputs.x.insert(inputs.x.end(), {x, static_cast<double>(i % 2)});
    inputs.y.push_back(std::sin(5 * x) + static_cast<double>(i % 2));
    inputs.noise_scale.push_back(1);
  }
  return inputs;
}

TEST(Gp, PredictsBetweenItsRowsAndIsUnsureElsewhere) {
  GpInputs inputs = Line(20);
  GpModel model(inputs, FitGp(inputs, DefaultHyper(2), 50).hyper);
  EXPECT_NEAR(model.Predict(std::vector{0.525, 0.0}).mean, std::sin(5 * 0.525), 0.05);
  EXPECT_NEAR(model.Predict(std::vector{0.525, 1.0}).mean, std::sin(5 * 0.525) + 1, 0.05);
  EXPECT_GT(model.Predict(std::vector{3.0, 0.0}).variance,
            10 * model.Predict(std::vector{0.5, 0.0}).variance);
}

TEST(Gp, SlopesAreDerivatives) {
  GpInputs inputs = Line(12);
  GpModel model(inputs, FitGp(inputs, DefaultHyper(2), 30).hyper);
  std::vector<double> mean(2);
  std::vector<double> variance(2);
  model.PredictSlope(std::vector{0.33, 1.0}, mean, variance);
  GpModel::Prediction up = model.Predict(std::vector{0.33 + 1e-5, 1.0});
  GpModel::Prediction down = model.Predict(std::vector{0.33 - 1e-5, 1.0});
  EXPECT_NEAR(mean[0], (up.mean - down.mean) / 2e-5, 1e-3);
  EXPECT_NEAR(variance[0], (up.variance - down.variance) / 2e-5, 1e-3);
}

TEST(Gp, AppendingARowEqualsFactoringAnew) {
  GpInputs all = Line(15);
  GpInputs fewer = Line(15);
  fewer.x.resize(28);
  fewer.y.resize(14);
  fewer.noise_scale.resize(14);
  GpModel grown(fewer, DefaultHyper(2));
  grown.Append(std::span(all.x).subspan(28, 2), all.y[14], 1);
  GpModel whole(all, DefaultHyper(2));
  std::vector<double> at = {0.77, 1.0};
  EXPECT_NEAR(grown.Predict(at).mean, whole.Predict(at).mean, 1e-6);
  EXPECT_NEAR(grown.Predict(at).variance, whole.Predict(at).variance, 1e-6);
  EXPECT_NEAR(whole.PredictAll(at)[0].mean, whole.Predict(at).mean, 1e-12);
}

TEST(Gp, RowsAMillionLengthsApartCanBeFactored) {
  GpInputs inputs = Line(20);
  inputs.unit.assign(inputs.dimensions, 1e-8);
  GpModel model(inputs, BowlHyper(2));
  GpModel::Prediction there = model.Predict(std::vector{0.5, 1.0});
  EXPECT_TRUE(std::isfinite(there.mean));
  EXPECT_TRUE(std::isfinite(there.variance));
}

TEST(Warp, StandardisesAndKeepsTheOrder) {
  std::vector<double> losses = {1, 2, 4, 1000};
  for (const Warp& warp : WarpsFor(losses)) {
    Warped warped = Apply(warp, losses);
    EXPECT_TRUE(std::ranges::is_sorted(warped.y));
    EXPECT_NEAR(std::accumulate(warped.y.begin(), warped.y.end(), 0.0), 0, 1e-12);
  }
  EXPECT_EQ(WarpsFor(std::vector<double>{3, 3, 3}).size(), 1u);
}

std::vector<Observation> Points(std::vector<Losses> losses) {
  std::vector<Observation> observations;
  for (Losses& l : losses) observations.push_back({.losses = std::move(l)});
  return observations;
}

TEST(Pareto, FrontsPeelOffOneAfterTheOther) {
  std::vector<Observation> points = Points({{1, 4}, {4, 1}, {2, 5}, {5, 5}});
  EXPECT_THAT(FrontOf(points), ElementsAre(0, 0, 1, 2));
  points[0].violation = 1;
  EXPECT_THAT(FrontOf(points), ElementsAre(2, 0, 0, 1));
}

TEST(Pareto, HypervolumeOfKnownShapes) {
  EXPECT_DOUBLE_EQ(Hypervolume({{1, 2}, {2, 1}, {2, 2}}, {3, 3}), 3);
  EXPECT_DOUBLE_EQ(Hypervolume({{0, 0, 0}}, {1, 2, 3}), 6);
  EXPECT_DOUBLE_EQ(Hypervolume({{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, {2, 2, 2}), 4);
  EXPECT_DOUBLE_EQ(Hypervolume({{5, 5}}, {3, 3}), 0);
}

TEST(Pareto, ChoosesThePointsThatDominateMost) {
  std::vector<Losses> points = {{0, 10}, {1, 1}, {10, 0}, {1.1, 1.1}};
  EXPECT_THAT(ChooseByVolume(points, 1), ElementsAre(1));
  EXPECT_THAT(ChooseByVolume(points, 3), UnorderedElementsAre(1, 0, 2));
}

TEST(Niches, DirectionsAreEvenAndCrowdedPointsGoFirst) {
  EXPECT_EQ(Directions(3, 4).size(), 15u);
  std::vector<Losses> front = {{0, 1}, {0.49, 0.5}, {0.5, 0.49}, {1, 0}};
  EXPECT_THAT(ByNiches({}, front, 2).size(), 2);
  EXPECT_THAT(ByCrowding(front, 2), UnorderedElementsAre(0, 3));
}

TEST(Rng, StreamsOfOneSeedDiffer) {
  EXPECT_NE(Rng(1, 1).Next(), Rng(1, 2).Next());
  EXPECT_EQ(Rng(1, 1).Next(), Rng(1, 1).Next());
  Rng rng(3);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) sum += rng.Normal();
  EXPECT_NEAR(sum / 10000, 0, 0.05);
}

}  // namespace
}  // namespace yard::tune
