// A Gaussian process kept in step with a growing history.
//
// Hyperparameters are fitted at sizes that grow by a tenth or so; between them new rows are
// appended to the factor. Both depend on the history alone: a surrogate made afresh gives the same
// numbers to the last bit. Fits look at no more than 256 rows: the best half and an even choice of
// the rest.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tune/history.h"
#include "tune/numerics/gp_model.h"
#include "tune/numerics/warp.h"
#include "tune/space.h"

namespace yard::tune {

// Coordinates for the model: absent ones in the middle, absent categories as one more category.
std::vector<double> Features(const Space& space, std::span<const double> point);
// Feasible losses as they are, infeasible ones no better than the worst feasible one.
std::vector<double> PenalisedLosses(std::span<const Observation> observations);
GpInputs MakeInputs(const Space& space, std::span<const Observation> rows);
// Chooses the scale of the outputs by the likelihood and fits.
struct WarpedFit {
  Warp warp;
  GpHyper hyper;
};
WarpedFit FitWarped(GpInputs inputs, std::span<const double> losses);

class GpSurrogate {
 public:
  explicit GpSurrogate(const Space& space) : space_(space) {}
  // The model of everything finished; at least one observation.
  const GpModel& Update(const History& history);

 private:
  void Fit(std::span<const Observation> finished);

  const Space& space_;
  std::size_t fitted_ = 0;  // rows at the last fit
  Warp warp_;
  std::optional<GpModel> model_;
};

}  // namespace yard::tune
