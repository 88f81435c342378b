// Finds the point of the largest expected improvement under a Gaussian process.
//
// Candidates are scored together; the best are improved, continuous coordinates by their gradient,
// discrete ones by exchange. Points that were tried or still run are not chosen on a discrete
// space.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "tune/history.h"
#include "tune/numerics/gp_model.h"
#include "tune/numerics/lbfgs.h"
#include "tune/rng.h"
#include "tune/space.h"

namespace yard::tune {

struct AcquisitionTask {
  const Space& space;
  const GpModel& model;
  Bounds box;             // of the numeric coordinates
  std::set<Point> taken;  // features that must not be chosen
  std::vector<Point> candidates;
};

// Features of the chosen point; nothing if every candidate is taken.
std::optional<Point> MaximizeImprovement(const AcquisitionTask& task);

// Candidates: evenly over the box, and around the given good points with steps of several sizes.
struct CandidateOptions {
  std::size_t even = 256;
  std::size_t near_each = 40;
};
std::vector<Point> MakeCandidates(const Space& space, const Bounds& box,
                                  std::span<const Point> good, Rng& rng,
                                  const CandidateOptions& options);

// Features of everything that was tried or runs; empty for a space that is not discrete.
std::set<Point> TakenPoints(const Space& space, const History& history);
Bounds WholeBox(const Space& space);

}  // namespace yard::tune
