// Minimises a smooth function inside a box: limited-memory BFGS on the coordinates that no bound
// holds, steps halved until they are sufficient. Deterministic.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace yard::tune {

struct LbfgsOptions {
  int iterations = 50;
  double gradient_tolerance = 1e-5;  // largest component of the projected gradient
  double value_tolerance = 1e-9;     // relative change that ends the search
};

// Value at x; writes the gradient.
using Smooth = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct Bounds {
  std::vector<double> low;
  std::vector<double> high;
};

struct Minimum {
  std::vector<double> x;
  double value = 0;
};

Minimum MinimizeLbfgs(const Smooth& f, std::vector<double> start, const Bounds& bounds,
                      const LbfgsOptions& options = {});

}  // namespace yard::tune
