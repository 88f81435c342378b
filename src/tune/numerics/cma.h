// The covariance matrix adaptation evolution strategy, with margin for discrete coordinates.
//
// Points lie in the unit cube. Feed it whole generations; draw as many points as wanted in between.
// With margin every discrete coordinate keeps a chance of leaving its cell. Deterministic.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tune/rng.h"

namespace yard::tune {

struct CmaStart {
  std::vector<double> mean;
  double sigma = 1.0 / 6;
  std::vector<double> covariance;  // row by row; empty is the unit matrix
  std::size_t population = 0;      // 0: 4 + 3 ln d
};

// The bounds of the cells around `u` on a discrete coordinate; {0, 0} marks a continuous one.
struct CmaCell {
  double low = 0;
  double high = 0;
};
using CmaCells = std::function<CmaCell(std::size_t coordinate, double u)>;

struct CmaPoint {
  std::vector<double> x;
  double loss = 0;
};

class Cma {
 public:
  Cma(CmaStart start, CmaCells cells);
  Cma(Cma&&) noexcept;
  Cma& operator=(Cma&&) noexcept;
  ~Cma();

  std::size_t population() const;
  std::vector<double> Draw(Rng& rng) const;
  void Tell(std::vector<CmaPoint> generation);
  // Nothing is left to gain: the distribution has shrunk, or a generation was flat.
  bool Finished() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A start from earlier results: mean and spread of the best tenth, widened by a tenth of the cube.
CmaStart WarmStart(std::span<const CmaPoint> best);

}  // namespace yard::tune
