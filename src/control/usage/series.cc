#include "control/usage/series.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {
namespace {

__extension__ using Wide = __int128;

constexpr std::size_t kNumbers = 8;
constexpr std::int64_t kNotMeasured = -1;

void KeepRising(UsagePoint& point, const UsagePoint& last) {
  point.cpu = std::max(point.cpu, last.cpu);
  point.read_bytes = std::max(point.read_bytes, last.read_bytes);
  point.write_bytes = std::max(point.write_bytes, last.write_bytes);
  point.gpu_measured = std::max(point.gpu_measured, last.gpu_measured);
  point.gpu_used = std::max(point.gpu_used, last.gpu_used);
}

// The later of two neighbours takes in the earlier: its counters hold both already.
UsagePoint Merge(const UsagePoint& earlier, UsagePoint later) {
  later.memory = std::max(later.memory, earlier.memory);
  later.gpu_memory = std::max(later.gpu_memory, earlier.gpu_memory);
  return later;
}

std::optional<UsagePoint> DecodeLine(std::string_view line) {
  std::array<std::int64_t, kNumbers> numbers{};
  std::size_t count = 0;
  for (std::string_view word : Split(line, ' ')) {
    std::optional<std::int64_t> number = ParseInt(word);
    if (!number || count == kNumbers) return std::nullopt;
    numbers[count++] = *number;
  }
  if (count != kNumbers) return std::nullopt;
  UsagePoint point{.at = Time{numbers[0]},
                   .cpu = Micros(numbers[1]),
                   .read_bytes = numbers[2],
                   .write_bytes = numbers[3],
                   .gpu_measured = GpuTime(numbers[4]),
                   .gpu_used = GpuTime(numbers[5]),
                   .memory = Mebibytes(numbers[6]),
                   .gpu_memory = std::nullopt};
  if (numbers[7] != kNotMeasured) point.gpu_memory = Mebibytes(numbers[7]);
  return point;
}

}  // namespace

void UsageSeries::Add(UsagePoint point) {
  if (!points_.empty()) {
    if (point.at <= points_.back().at) return;
    KeepRising(point, points_.back());
  }
  if (points_.size() == kMostPoints) Thin();
  points_.push_back(point);
}

// Makes one of those two neighbours that together are the finest for their age. The first point
// stays: it says where the series begins.
void UsageSeries::Thin() {
  Time now = points_.back().at;
  std::size_t finest = 1;
  double least = 1;
  for (std::size_t i = 1; i + 1 < points_.size(); ++i) {
    Time from = points_[i - 1].at;
    auto span = static_cast<double>((points_[i + 1].at - from).value);
    double share = span / static_cast<double>((now - from).value);
    if (share >= least) continue;
    least = share;
    finest = i;
  }
  points_[finest + 1] = Merge(points_[finest], points_[finest + 1]);
  points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(finest));
}

std::string Encode(const UsageSeries& series) {
  std::string text;
  for (const UsagePoint& p : series.points()) {
    text += fmt::format("{} {} {} {} {} {} {} {}\n", p.at.micros, p.cpu.value, p.read_bytes,
                        p.write_bytes, p.gpu_measured.value, p.gpu_used.value, p.memory.value,
                        p.gpu_memory ? p.gpu_memory->value : kNotMeasured);
  }
  return text;
}

UsageSeries DecodeUsage(std::string_view text) {
  UsageSeries series;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    if (std::optional<UsagePoint> point = DecodeLine(text.substr(0, end))) series.Add(*point);
    text.remove_prefix(end + 1);
  }
  return series;
}

std::int64_t MilliRate(Micros before, Micros after, Micros span) {
  if (span.value <= 0) return 0;
  return static_cast<std::int64_t>(static_cast<Wide>(after.value - before.value) * 1000 /
                                   span.value);
}

}  // namespace yard::control
