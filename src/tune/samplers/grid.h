// Every configuration of a discrete space once, in an order shuffled by the seed.
//
// A continuous axis is cut into ten levels. A space of more than a million cells is sampled at
// random instead: nobody gets to the end of such a grid.
#pragma once

#include <cstddef>
#include <vector>

#include "tune/sampler.h"

namespace yard::tune {

class GridSampler final : public Sampler {
 public:
  explicit GridSampler(const Space& space) : space_(space) {}
  Proposal Suggest(const History& history, Rng& rng) override;

 private:
  void Fill(std::uint64_t seed);

  const Space& space_;
  std::vector<Point> cells_;  // once filled
};

}  // namespace yard::tune
