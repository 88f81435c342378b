// Bayesian optimisation: a Gaussian process over all results, the point of the largest expected
// improvement next. Trials that still run count as if they gave what the model expects.
#pragma once

#include "tune/sampler.h"
#include "tune/samplers/gp_surrogate.h"

namespace yard::tune {

class GpSampler final : public Sampler {
 public:
  explicit GpSampler(const Space& space) : space_(space), surrogate_(space) {}
  Proposal Suggest(const History& history, Rng& rng) override;

 private:
  const Space& space_;
  GpSurrogate surrogate_;
};

// Results needed before a model is worth asking.
std::size_t StartupTrials(const Space& space);
// The points of the least loss, best first, at most `count`.
std::vector<Point> BestPoints(std::span<const Observation> observations, std::size_t count);

}  // namespace yard::tune
