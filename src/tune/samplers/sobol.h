// Scrambled Sobol points in the order of suggestions. Points against the constraints become random
// ones.
#pragma once

#include "tune/sampler.h"

namespace yard::tune {

class SobolSampler final : public Sampler {
 public:
  explicit SobolSampler(const Space& space) : space_(space) {}
  Proposal Suggest(const History& history, Rng& rng) override;

 private:
  const Space& space_;
};

// A point of the unit cube as coordinates: categories by equal parts of [0, 1).
Point FromCube(const Space& space, std::span<const double> cube);

}  // namespace yard::tune
