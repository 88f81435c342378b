// A chart out of characters, for terminals.
//
// A pure function. Each character holds two by four dots. Lines are told apart by colour; without
// colour they share the dots.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cli/table.h"

namespace yard::cli {

struct PlotLine {
  std::string label;
  std::vector<std::pair<double, double>> points;  // not finite ones are left out
};

struct PlotSize {
  std::size_t columns = 72;  // of characters, the scale beside it included
  std::size_t rows = 14;
};

// Empty if no line has a point.
std::string RenderPlot(const std::vector<PlotLine>& lines, const PlotSize& size, Colour colour);

}  // namespace yard::cli
