#include "track/downsample.h"

namespace yard::track {

std::vector<ChartPixel> Downsample(std::span<const MetricPoint> points, const ChartWindow& window) {
  std::vector<Outline> outlines(window.pixels);
  for (const MetricPoint& point : points) {
    std::int64_t at = window.At(point);
    if (window.Holds(at)) outlines[window.PixelOf(at)].Add(point);
  }
  std::vector<ChartPixel> pixels;
  for (std::uint32_t i = 0; i < window.pixels; ++i) {
    if (outlines[i].points > 0) pixels.push_back({.pixel = i, .outline = outlines[i]});
  }
  return pixels;
}

}  // namespace yard::track
