// What samplers learn from: results in the order in which they came, and the trials that still run.
//
// Losses are to be minimised: maximised objectives have their sign changed. `finished` only ever
// grows at its end, so that a sampler may keep what it computed from its beginning. A sampler's
// suggestion depends on this value and its random stream alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tune/space.h"
#include "tune/trial.h"

namespace yard::tune {

struct Observation {
  Point x;                     // of the configuration
  Point latent;                // as it was drawn
  std::vector<double> losses;  // one for each objective
  double violation = 0;        // 0: feasible
  double count = 1;            // runs that the losses are the mean of
  bool pruned = false;         // then the loss is estimated from its reports
  Origin origin = Origin::kRandom;

  double loss() const { return losses.front(); }
};

struct History {
  std::vector<Observation> finished;
  std::vector<Point> pending;
  std::size_t objectives = 1;
  std::uint64_t seed = 0;
  std::size_t asked = 0;                   // suggestions made before this one
  std::optional<std::size_t> budget = {};  // trials in all, if known
  std::size_t parallelism = 1;
};

// The observation of the least loss among the feasible ones; nothing if there is none.
std::optional<std::size_t> BestOf(const History& history);

}  // namespace yard::tune
