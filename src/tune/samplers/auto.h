// The default: chooses and switches by space, budget and parallelism.
//
// Up to a few hundred results a Gaussian process. If the space has a continuous axis, it shares the
// suggestions with model-based descent around the best point, in proportion to how often each of
// the two improved on the best of late. Later, or where the process would be too slow, an evolution
// strategy for numeric spaces and parzen estimators for the others. Several objectives: parzen
// estimators first, a genetic algorithm later.
#pragma once

#include <memory>

#include "tune/sampler.h"
#include "tune/samplers/cma_es.h"
#include "tune/samplers/gp.h"
#include "tune/samplers/local.h"
#include "tune/samplers/nsga.h"
#include "tune/samplers/tpe.h"

namespace yard::tune {

class AutoSampler final : public Sampler {
 public:
  explicit AutoSampler(const Space& space);
  Proposal Suggest(const History& history, Rng& rng) override;

 private:
  Proposal SuggestMany(const History& history, Rng& rng);
  Proposal SuggestLate(const History& history, Rng& rng);

  const Space& space_;
  GpSampler gp_;
  LocalSampler local_;
  TpeSampler tpe_;
  CmaEsSampler cma_;
  NsgaSampler nsga2_;
  NsgaSampler nsga3_;
};

}  // namespace yard::tune
