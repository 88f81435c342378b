// What an attempt used over time, at falling resolution. A value; pure.
//
// Points hold counters since the start of the attempt and the highest levels since the point
// before, so two neighbours can be made one without losing a sum or a peak. When there are
// kMostPoints, the two that are finest for their age become one: the newest stretch stays fine,
// what is old gets coarser in proportion to its age, and the size never exceeds the bound.
//
// Invariant: the points' times rise and their counters never fall.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "base/time.h"
#include "model/attempt.h"

namespace yard::control {

struct UsagePoint {
  Time at;
  Micros cpu;
  std::int64_t read_bytes = 0;
  std::int64_t write_bytes = 0;
  GpuTime gpu_measured;
  GpuTime gpu_used;
  Mebibytes memory;
  std::optional<Mebibytes> gpu_memory;
};

class UsageSeries {
 public:
  static constexpr std::size_t kMostPoints = 128;

  // A point that is not later than the last is left out; a counter that fell stays where it was.
  void Add(UsagePoint point);
  const std::vector<UsagePoint>& points() const { return points_; }
  bool empty() const { return points_.empty(); }

 private:
  void Thin();

  std::vector<UsagePoint> points_;
};

// One line for each point. Decoding leaves out what is not a whole line of numbers.
std::string Encode(const UsageSeries& series);
UsageSeries DecodeUsage(std::string_view text);

// How much of a counter grew between two points, per second, in thousandths: CPU time gives
// thousandths of a core. 0 if they are at the same time.
std::int64_t MilliRate(Micros before, Micros after, Micros span);

}  // namespace yard::control
