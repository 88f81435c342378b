// A trial: one run of one configuration, and everything about it that has to be stored.
//
// The list of trials with the seed is the whole state of a study: suggestions are computed from
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/strong.h"
#include "tune/space.h"

namespace yard::tune {

using TrialNumber = StrongId<struct TrialNumberTag>;

enum class TrialState {
  kRunning,
  kComplete,
  kPruned,  // stopped early by a pruner; its reports count
  kFailed,  // no result; its configuration is not suggested again
};

// Where a configuration came from: the sampler's reason in one word.
enum class Origin {
  kGiven,      // by hand, or from an earlier study
  kRandom,     // uniform
  kGrid,       // next of the grid
  kSobol,      // fills the space evenly
  kTpe,        // more like the good trials than the bad ones
  kGp,         // largest expected improvement
  kLocal,      // minimum of a model around the best trial
  kEvolution,  // drawn from an evolving distribution or population
  kRepeat,     // another run of an earlier configuration
  kSpread,     // in the place of a duplicate
  kEarlier,    // a result of an earlier study
  kPbt,        // a better trial's configuration, changed a little
};

// An intermediate value of the first objective.
struct Report {
  std::int64_t step = 0;
  double value = 0;
  bool operator==(const Report&) const = default;
};

struct Trial {
  TrialNumber number{};
  Configuration configuration;
  std::vector<double> derived;  // in the order of the space's derived values
  TrialState state = TrialState::kRunning;
  std::vector<double> values;  // one for each objective, once complete
  double violation = 0;  // how far constraints measured by the run are violated; 0 is feasible
  std::vector<Report> reports;
  std::optional<TrialNumber> repeat_of;  // the first trial with this configuration
  Origin origin = Origin::kRandom;
  Point latent;                          // as drawn, before rounding; samplers learn from it
  std::int64_t endings_before = 0;       // trials that had ended when this one began
  std::optional<std::int64_t> finished;  // its place in the order of endings
};

}  // namespace yard::tune
