#include "tune/testing/studies.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tune/rng.h"

namespace yard::tune::testing {
namespace {

std::vector<double> Shifted(const Configuration& configuration) {
  std::vector<double> z;
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    z.push_back(*configuration.At(i) - 1.3 + 0.7 * static_cast<double>(i % 3));
  }
  return z;
}

}  // namespace

Space Floats(std::size_t count, double low, double high) {
  Space::Spec spec;
  for (std::size_t i = 0; i < count; ++i) {
    spec.parameters.push_back({"x" + std::to_string(i), FloatDomain{low, high}});
  }
  return Space::Make(spec).value();
}

Space Choices(std::size_t count, std::size_t levels) {
  Space::Spec spec;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < levels; ++i) names.push_back("v" + std::to_string(i));
  for (std::size_t i = 0; i < count; ++i) {
    spec.parameters.push_back({"c" + std::to_string(i), CategoricalDomain{names}});
  }
  return Space::Make(spec).value();
}

Space Mixed() {
  return Space::Make({.parameters = {{"x", FloatDomain{-1, 1}},
                                     {"lr", FloatDomain{1e-5, 1e-1, Scale::kLog}},
                                     {"batch", IntDomain{2, 32, Scale::kLinear, 2}},
                                     {"size", OrdinalDomain{{"s", "m", "l"}}},
                                     {"kind", CategoricalDomain{{"a", "b", "c", "d"}}}}})
      .value();
}

Space Layers() {
  return Space::Make({.parameters = {{"layers", IntDomain{1, 3}},
                                     {"units1", IntDomain{16, 512, Scale::kLog}},
                                     {"units2", IntDomain{16, 512, Scale::kLog},
                                      Condition{"layers", {2, 3}}},
                                     {"units3", IntDomain{16, 512, Scale::kLog},
                                      Condition{"layers", {3}}}}})
      .value();
}

Study RunStudy(const Space& space, const Objective& objective, const RunOptions& options) {
  Study study = Study::Make(space, options.study).value();
  Rng order(99);
  std::vector<TrialNumber> running;
  for (std::size_t i = 0; i < options.trials + options.pending - 1; ++i) {
    if (i < options.trials) running.push_back(study.Ask().number);
    if (running.size() < options.pending && i < options.trials) continue;
    if (running.empty() || (i >= options.trials && options.end == RunEnd::kLeaveRunning)) break;
    std::size_t which = order.Below(running.size());
    TrialNumber number = running[which];
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
    const Trial& trial = study.trials()[static_cast<std::size_t>(number.value)];
    (void)study.Tell(number, {.values = {objective(space, trial.configuration)}});
  }
  return study;
}

double BestValue(const Space& space, const Objective& objective, const RunOptions& options) {
  Study study = RunStudy(space, objective, options);
  return study.trials()[static_cast<std::size_t>(study.Best()->value)].values[0];
}

double MeanLogGap(const Space& space, const Objective& objective, RunOptions options, int seeds) {
  double sum = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    options.study.seed = static_cast<std::uint64_t>(seed);
    sum += std::log10(std::max(BestValue(space, objective, options), 1e-12));
  }
  return sum / seeds;
}

double Sphere(const Space&, const Configuration& configuration) {
  double sum = 0;
  for (double z : Shifted(configuration)) sum += z * z;
  return sum;
}

double Rosenbrock(const Space&, const Configuration& configuration) {
  std::vector<double> z = Shifted(configuration);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < z.size(); ++i) {
    double bend = z[i + 1] + 1 - (z[i] + 1) * (z[i] + 1);
    sum += 100 * bend * bend + z[i] * z[i];
  }
  return sum;
}

double Ellipse(const Space&, const Configuration& configuration) {
  std::vector<double> z = Shifted(configuration);
  double sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    double along = (z[i] + z[(i + 1) % z.size()]) / std::numbers::sqrt2;
    double part =
        static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(z.size() - 1, 1));
    sum += std::pow(10.0, 4 * part) * along * along;
  }
  return sum;
}

double Rastrigin(const Space&, const Configuration& configuration) {
  double sum = 0;
  for (double z : Shifted(configuration)) {
    sum += z * z + 10 * (1 - std::cos(2 * std::numbers::pi * z));
  }
  return sum;
}

double Mismatch(const Space&, const Configuration& configuration) {
  double sum = 0;
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    if (*configuration.At(i) != 1) sum += 1 + 0.1 * static_cast<double>(i);
  }
  return sum;
}

double MixedBowl(const Space&, const Configuration& configuration) {
  double x = *configuration.At(0) - 0.3;
  double lr = std::log10(*configuration.At(1)) + 3;
  double batch = (*configuration.At(2) - 12) / 16;
  double size = *configuration.At(3) - 1;
  return x * x + lr * lr + batch * batch + size * size + (*configuration.At(4) == 1 ? 0 : 1);
}

}  // namespace yard::tune::testing
