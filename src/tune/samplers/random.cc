#include "tune/samplers/random.h"

namespace yard::tune {

Proposal RandomSampler::Suggest(const History&, Rng& rng) {
  return {space_.RandomPoint(rng), Origin::kRandom};
}

}  // namespace yard::tune
