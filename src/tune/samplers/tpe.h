// Tree-structured Parzen estimators: what the good trials have and the others have not.
//
// The best tenth of the trials (25 at most) make one density, all others and those that still run
// (the constant liar) another; of 24 draws from the first the one with the largest ratio is
// suggested. Parameters that exist together are modelled together, or each alone. With several
// objectives the best tenth is taken by fronts of non-domination, the last front by its share of
// the hypervolume.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tune/sampler.h"
#include "tune/samplers/parzen.h"

namespace yard::tune {

class TpeSampler final : public Sampler {
 public:
  enum class Model { kJoint, kUnivariate };
  TpeSampler(const Space& space, Model model);
  Proposal Suggest(const History& history, Rng& rng) override;

 private:
  // What is kept between suggestions for an axis: all of it follows from the history.
  struct Sorted {
    std::vector<double> centre;        // by finished trial: coordinate, or level on a discrete axis
    std::vector<std::uint32_t> order;  // finished trials that have the axis, by coordinate
    std::vector<double> width;         // by finished trial, of the density of the others
    std::vector<double> log_norm;      // of that width
  };
  void Keep(const History& history);
  ParzenMixture Below(const std::vector<std::size_t>& axes);
  ParzenMixture Above(const History& history, const std::vector<std::size_t>& axes);
  AxisKernels AboveContinuous(const History& history, std::size_t axis,
                              std::span<const std::uint32_t> members,
                              std::span<const std::size_t> pending);

  const Space& space_;
  std::vector<std::vector<std::size_t>> groups_;  // axes that are modelled together
  std::vector<Sorted> sorted_;                    // by axis
  std::size_t kept_ = 0;                          // finished trials in sorted_
  std::vector<std::uint8_t> good_;                // by finished trial, for the suggestion under way
};

// Finished trials that count as good, by index.
std::vector<std::size_t> GoodTrials(const History& history);

}  // namespace yard::tune
