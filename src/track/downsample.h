// A chart of points that lie in memory: what store/series.h draws from disk. Pure.
#pragma once

#include <span>
#include <vector>

#include "model/metric.h"

namespace yard::track {

// `points` are in order. Pixels without points are left out.
std::vector<ChartPixel> Downsample(std::span<const MetricPoint> points, const ChartWindow& window);

}  // namespace yard::track
