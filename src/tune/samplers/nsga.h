// Genetic algorithms for several objectives: NSGA-II and NSGA-III.
//
// A population of 50 survives by front of non-domination; in the last front that fits by crowding
// distance (II) or by niches around evenly spread directions (III). Children: parents by
// tournament, uniform crossover, each coordinate drawn anew with chance 1/d or nudged. A generation
// is the next 50 results in the order in which they came, whatever suggested them.
#pragma once

#include <cstddef>
#include <vector>

#include "tune/sampler.h"

namespace yard::tune {

class NsgaSampler final : public Sampler {
 public:
  enum class Survival { kCrowding, kNiches };
  NsgaSampler(const Space& space, Survival survival) : space_(space), survival_(survival) {}
  Proposal Suggest(const History& history, Rng& rng) override;

 private:
  void Consume(const History& history);
  void Select(const History& history);
  std::size_t Tournament(const History& history, Rng& rng) const;

  const Space& space_;
  Survival survival_;
  std::vector<std::size_t> parents_;     // finished trials that survived
  std::vector<std::size_t> generation_;  // the one under way
  std::size_t consumed_ = 0;
};

}  // namespace yard::tune
