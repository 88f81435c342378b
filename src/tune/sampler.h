// Samplers propose points. One per file pair in samplers/.
//
// A sampler may keep what it has computed, but its proposal must be a function of the history and
// the random stream: a fresh sampler given the same history proposes the same. One thread.
#pragma once

#include <memory>

#include "tune/history.h"
#include "tune/rng.h"
#include "tune/space.h"

namespace yard::tune {

struct Proposal {
  Point point;
  Origin origin = Origin::kRandom;
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual Proposal Suggest(const History& history, Rng& rng) = 0;
};

enum class SamplerKind {
  kAuto,  // chooses and switches by space, budget and parallelism
  kRandom,
  kGrid,
  kSobol,
  kTpe,            // a joint model for parameters that exist together; several objectives: MOTPE
  kTpeUnivariate,  // one model per parameter
  kGp,
  kCmaEs,
  kNsga2,
  kNsga3,
};

// The space must outlive the sampler.
std::unique_ptr<Sampler> MakeSampler(SamplerKind kind, const Space& space);

}  // namespace yard::tune
