// Results of an earlier study, for the search of a new one.
#pragma once

#include <vector>

#include "control/study/view.h"
#include "model/study.h"

namespace yard::control {

struct EarlierResult {
  std::vector<double> values;   // by parameter of the new study
  std::vector<double> results;  // by objective of the new study
};

// The mean of every configuration of `before`, once each, in the order of their first trials.
// Parameters, choices and metrics are found by their names; the aims may differ. A configuration
// without a value for a parameter that `spec` always has, and one that lacks a metric, is left out.
std::vector<EarlierResult> EarlierResults(const StudyView& before, const StudySpec& spec);

}  // namespace yard::control
