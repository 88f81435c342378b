// Uniform over the space.
#pragma once

#include "tune/sampler.h"

namespace yard::tune {

class RandomSampler final : public Sampler {
 public:
  explicit RandomSampler(const Space& space) : space_(space) {}
  Proposal Suggest(const History& history, Rng& rng) override;

 private:
  const Space& space_;
};

}  // namespace yard::tune
