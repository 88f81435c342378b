// Model-based descent: a Gaussian process with a bowl, fitted to the nearest neighbours of the best
// point alone, minimised inside the box that they span. As the neighbours come closer the box
// shrinks, so that a smooth minimum is found to many digits. After a number of failures the best
// point far away from it takes its place for a while. For spaces with a continuous axis.
#pragma once

#include "tune/sampler.h"

namespace yard::tune {

class LocalSampler final : public Sampler {
 public:
  explicit LocalSampler(const Space& space) : space_(space) {}
  Proposal Suggest(const History& history, Rng& rng) override;

 private:
  const Space& space_;
};

}  // namespace yard::tune
