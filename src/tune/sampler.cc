#include "tune/sampler.h"

#include "base/check.h"
#include "tune/samplers/auto.h"
#include "tune/samplers/cma_es.h"
#include "tune/samplers/gp.h"
#include "tune/samplers/grid.h"
#include "tune/samplers/nsga.h"
#include "tune/samplers/random.h"
#include "tune/samplers/sobol.h"
#include "tune/samplers/tpe.h"

namespace yard::tune {

std::unique_ptr<Sampler> MakeSampler(SamplerKind kind, const Space& space) {
  switch (kind) {
    case SamplerKind::kAuto:
      return std::make_unique<AutoSampler>(space);
    case SamplerKind::kRandom:
      return std::make_unique<RandomSampler>(space);
    case SamplerKind::kGrid:
      return std::make_unique<GridSampler>(space);
    case SamplerKind::kSobol:
      return std::make_unique<SobolSampler>(space);
    case SamplerKind::kTpe:
      return std::make_unique<TpeSampler>(space, TpeSampler::Model::kJoint);
    case SamplerKind::kTpeUnivariate:
      return std::make_unique<TpeSampler>(space, TpeSampler::Model::kUnivariate);
    case SamplerKind::kGp:
      return std::make_unique<GpSampler>(space);
    case SamplerKind::kCmaEs:
      return std::make_unique<CmaEsSampler>(space);
    case SamplerKind::kNsga2:
      return std::make_unique<NsgaSampler>(space, NsgaSampler::Survival::kCrowding);
    case SamplerKind::kNsga3:
      return std::make_unique<NsgaSampler>(space, NsgaSampler::Survival::kNiches);
  }
  YARD_CHECK(false);
}

}  // namespace yard::tune
