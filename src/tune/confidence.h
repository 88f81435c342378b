// How sure a result is, and whether going on is worth it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tune/study.h"

namespace yard::tune {

// The best configuration with the interval that holds its true mean with 95%.
struct BestEstimate {
  TrialNumber trial{};
  double mean = 0;
  double low = 0;
  double high = 0;
  std::size_t runs = 0;
};

// The deviation of single runs of one configuration, over all configurations with several runs;
// nothing if there is none.
std::optional<double> RunDeviation(std::span<const Trial> trials);
// Nothing before the first complete trial. Without repeats low and high are the mean itself.
std::optional<BestEstimate> EstimateBest(const Study& study);
// The best value after each ending, for the plot of the history.
std::vector<double> BestSoFar(const Study& study);

struct StopAdvice {
  bool stop = false;
  double expected_gain = 0;  // on the scale of the model, in deviations of the losses
  double noise = 0;          // likewise
  std::string reason = {};
};

// Whether the largest expected gain of one more trial is below the noise of a run.
StopAdvice ShouldStop(const Study& study);

}  // namespace yard::tune
