// Population based training: at every interval a trial of the worst quarter takes over the
// checkpoint and the configuration of one of the best quarter, and changes the configuration a
// little.
//
// The decision is a pure function of the members and the random stream; the caller hands over the
// checkpoint. Parameters not listed as mutable stay as they are copied.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tune/rng.h"
#include "tune/space.h"
#include "tune/trial.h"

namespace yard::tune {

struct PbtOptions {
  double quantile = 0.25;
  double resample = 0.25;  // chance that a parameter is drawn anew
  double factor = 1.2;     // else multiplied or divided by this; choices shift by one
  std::vector<std::size_t> mutable_parameters = {};  // empty: all
};

struct PbtMember {
  TrialNumber trial{};
  Configuration configuration;
  double loss = 0;  // the latest
};

struct PbtExploit {
  TrialNumber source{};         // whose checkpoint is taken over
  Configuration configuration;  // to go on with
};

// Nothing: the trial goes on as it is.
std::optional<PbtExploit> DecidePbt(const Space& space, const PbtOptions& options,
                                    std::span<const PbtMember> members, TrialNumber subject,
                                    Rng& rng);
// The changed configuration alone.
Configuration ExplorePbt(const Space& space, const PbtOptions& options, const Configuration& from,
                         Rng& rng);

}  // namespace yard::tune
