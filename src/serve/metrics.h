// Counters of the API, in the Prometheus text format.
//
// Thread-safe; counting is a few relaxed atomic additions.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "base/time.h"

namespace yard::serve {

class Metrics {
 public:
  void Count(int status, Micros took);
  // Appends the counters as Prometheus text.
  void Write(std::string& out) const;

 private:
  static constexpr std::array<std::int64_t, 10> kBounds{
      100, 500, 1'000, 5'000, 10'000, 50'000, 100'000, 500'000, 1'000'000, 5'000'000};
  std::array<std::atomic<std::uint64_t>, 6> by_class_{};
  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> by_duration_{};
  std::atomic<std::uint64_t> total_micros_{0};
};

// One metric line with its HELP and TYPE.
void WriteMetric(std::string& out, std::string_view name, std::string_view help,
                 std::string_view type, double value);

}  // namespace yard::serve
