// What a study has found out: its best trials, which parameters matter, what it would try next.
//
// Computed from the records alone. Any thread; may take a second for thousands of trials.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "control/study/view.h"

namespace yard::control {

struct BestTrial {
  std::shared_ptr<const StudyTrial> trial;
  // Of the first objective, over the runs of the configuration: the interval holds the true mean
  // with 95%. Without repeats both ends are the mean.
  double mean = 0;
  double low = 0;
  double high = 0;
  std::size_t runs = 0;
};

struct StudyBest {
  std::vector<BestTrial> trials;  // one; several objectives: those that no other beats in all
  std::string message;            // one sentence
};

Result<StudyBest> BestOf(const StudyView& view);

// By parameter, most important first; empty before there are results.
Result<std::vector<std::pair<std::string, double>>> ImportancesOf(const StudyView& view);

// What the next trial would be if it began now.
Result<StudyTrial> NextOf(const StudyView& view);

}  // namespace yard::control
