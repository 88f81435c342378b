// Evolution strategy (numerics/cma.h) over the numeric axes, restarted with twice the population
// when it has converged. Categories are taken from one of the better trials, now and then at
// random.
//
// Generations are the evolution's own results in the order in which they came. Results from before
// it (another sampler's, or an earlier study's) give it a warm start.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tune/numerics/cma.h"
#include "tune/sampler.h"

namespace yard::tune {

class CmaEsSampler final : public Sampler {
 public:
  explicit CmaEsSampler(const Space& space);
  Proposal Suggest(const History& history, Rng& rng) override;

 private:
  void Begin(const History& history, std::size_t before);
  void Consume(const History& history);
  void Restart(std::uint64_t seed);
  CmaPoint PointOf(const Observation& observation) const;
  CmaCells Cells() const;

  const Space& space_;
  std::vector<std::size_t> numeric_;  // axes
  std::optional<Cma> cma_;
  std::vector<CmaPoint> generation_;  // of the one under way
  std::size_t consumed_ = 0;
  std::size_t restarts_ = 0;
};

}  // namespace yard::tune
