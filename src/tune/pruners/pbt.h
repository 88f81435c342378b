// Population based training: at every interval a trial of the worst quarter gives its place to a
// successor, which starts from the checkpoint of one of the best quarter, with that trial's
// configuration changed a little.
//
// Trials are compared by their values at the same step, so that a slow machine is no disadvantage,
// and again with every report until the next interval, so that it is none to come early.
// The decision follows from the curves and the seed; the caller hands over the checkpoint.
// Parameters not listed as mutable stay as they are copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tune/pruners/pruner.h"
#include "tune/rng.h"
#include "tune/space.h"

namespace yard::tune {

struct PbtOptions {
  std::int64_t interval_steps = 10;    // between two comparisons
  std::int64_t max_steps = INT64_MAX;  // of the training: from there on nothing is replaced
  std::size_t least = 4;  // trials that must have reached the step before any is replaced
  double quantile = 0.25;
  double resample = 0.25;  // chance that a parameter is drawn anew
  double factor = 1.2;     // else multiplied or divided by this; choices shift by one
  std::vector<std::size_t> mutable_parameters = {};  // empty: all
};

class PbtPruner final : public Pruner {
 public:
  PbtPruner(PbtOptions options, std::uint64_t seed) : options_(std::move(options)), seed_(seed) {}
  Verdict Judge(std::span<const Curve> curves, std::size_t subject) const override;

 private:
  PbtOptions options_;
  std::uint64_t seed_;
};

// The configuration of a successor.
Configuration ExplorePbt(const Space& space, const PbtOptions& options, const Configuration& from,
                         Rng& rng);

}  // namespace yard::tune
