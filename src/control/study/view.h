// A study with its trials, as readers see it: an immutable value.
#pragma once

#include <memory>
#include <vector>

#include "model/study.h"
#include "wire/study.h"

namespace yard::control {

struct StudyView {
  Study study;
  std::vector<std::shared_ptr<const StudyTrial>> trials;
};
using SharedStudy = std::shared_ptr<const StudyView>;

// Counts, and the best trial by the mean of the first objective over its repeats.
wire::StudyCounts CountsOf(const StudyView& view);

// The trials as values, to make an engine of.
std::vector<StudyTrial> TrialsOf(const StudyView& view);

}  // namespace yard::control
