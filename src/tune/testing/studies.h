// Spaces and whole studies for tests, in few words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tune/space.h"
#include "tune/study.h"

namespace yard::tune::testing {

// x0, x1, ... in [low, high].
Space Floats(std::size_t count, double low = -5, double high = 5);
// c0, c1, ... with `levels` choices each.
Space Choices(std::size_t count, std::size_t levels);
// A float, a log float, an integer with step 2, an ordinal and a categorical parameter.
Space Mixed();
// A network of one to three layers: units1 always, units2 and units3 only where there are so many.
Space Layers();

using Objective = std::function<double(const Space&, const Configuration&)>;

enum class RunEnd { kTellAll, kLeaveRunning };

struct RunOptions {
  StudyOptions study = {};
  std::size_t trials = 50;
  std::size_t pending = 1;  // trials that run at the same time; they end in a mixed order
  RunEnd end = RunEnd::kTellAll;
};

Study RunStudy(const Space& space, const Objective& objective, const RunOptions& options);
// The best value of that study.
double BestValue(const Space& space, const Objective& objective, const RunOptions& options);
// log10 of the mean over seeds 0 to seeds - 1 of BestValue.
double MeanLogGap(const Space& space, const Objective& objective, RunOptions options, int seeds);

// Minimum 0 in the inside of Floats, away from the middle.
double Sphere(const Space& space, const Configuration& configuration);
double Rosenbrock(const Space& space, const Configuration& configuration);
// Axes of very different length, rotated.
double Ellipse(const Space& space, const Configuration& configuration);
double Rastrigin(const Space& space, const Configuration& configuration);
// Choices: 0 where every parameter has choice 1, more for each other choice.
double Mismatch(const Space& space, const Configuration& configuration);
// A smooth function of Mixed; the best category is the second.
double MixedBowl(const Space& space, const Configuration& configuration);

}  // namespace yard::tune::testing
