// Metric histories: one number over the steps of a run.
//
// A history is a set of points, ordered by step, then time, then value. Writing a point a second
// time changes nothing, so a client may repeat what it is not sure of. The latest point is the
// greatest one. Not a number and the infinities are values like others: NaN is greater than
// +infinity, -0 is less than 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <string>

#include "base/time.h"

namespace yard {

// Names whose metrics these are: a run, a workload, a node. Any bytes; never part of a path.
struct RunKey {
  std::string text;
  auto operator<=>(const RunKey&) const = default;
};

// The bits of a double as a signed number that sorts as the double does. Keeps every bit.
constexpr std::int64_t OrderedBits(double value) {
  auto bits = std::bit_cast<std::int64_t>(value);
  return bits < 0 ? bits ^ INT64_MAX : bits;
}

constexpr double FromOrderedBits(std::int64_t ordered) {
  return std::bit_cast<double>(ordered < 0 ? ordered ^ INT64_MAX : ordered);
}

struct MetricPoint {
  std::int64_t step = 0;
  Time time;
  double value = 0;

  friend constexpr std::strong_ordering operator<=>(const MetricPoint& a, const MetricPoint& b) {
    if (a.step != b.step) return a.step <=> b.step;
    if (a.time != b.time) return a.time <=> b.time;
    return OrderedBits(a.value) <=> OrderedBits(b.value);
  }
  friend constexpr bool operator==(const MetricPoint& a, const MetricPoint& b) {
    return (a <=> b) == 0;
  }
};

// What a line through some points looks like when they share one pixel: where it enters and leaves,
// and how far it reaches. `low` and `high` are of the finite values only; they mean nothing while
// `finite` is 0.
struct Outline {
  std::uint64_t points = 0;
  std::uint64_t finite = 0;
  MetricPoint first;
  MetricPoint last;
  MetricPoint low;
  MetricPoint high;

  // In the order of the history.
  void Add(const MetricPoint& point) {
    if (points++ == 0) first = point;
    last = point;
    if (!std::isfinite(point.value)) return;
    if (finite == 0 || point.value < low.value) low = point;
    if (finite == 0 || point.value > high.value) high = point;
    ++finite;
  }

  // `next` is of later points.
  void Add(const Outline& next) {
    if (next.points == 0) return;
    if (points == 0) first = next.first;
    last = next.last;
    points += next.points;
    if (next.finite == 0) return;
    if (finite == 0 || next.low.value < low.value) low = next.low;
    if (finite == 0 || next.high.value > high.value) high = next.high;
    finite += next.finite;
  }

  bool operator==(const Outline&) const = default;
};

enum class ChartAxis { kStep, kTime };

// The window of a chart. `from` and `to` are steps or microseconds, both inside.
struct ChartWindow {
  ChartAxis axis = ChartAxis::kStep;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::uint32_t pixels = 320;  // at least 1

  std::int64_t At(const MetricPoint& point) const {
    return axis == ChartAxis::kStep ? point.step : point.time.micros;
  }
  bool Holds(std::int64_t at) const { return from <= at && at <= to; }
  // Never decreases as `at` grows; `at` must be held.
  std::uint32_t PixelOf(std::int64_t at) const {
    double span =
        static_cast<double>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)) +
        1.0;
    double into =
        static_cast<double>(static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(from));
    return std::min(static_cast<std::uint32_t>(into * (pixels / span)), pixels - 1);
  }
};

// One column of a chart.
struct ChartPixel {
  std::uint32_t pixel = 0;
  Outline outline;
  bool operator==(const ChartPixel&) const = default;
};

}  // namespace yard
