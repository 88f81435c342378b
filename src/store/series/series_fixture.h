// Builders for the tests of the series store.
#pragma once

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "store/series/series_store.h"
#include "store/sqlite/store_fixture.h"

namespace yard::store {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Points = std::vector<MetricPoint>;

inline std::unique_ptr<SeriesStore> MustOpenSeries(const std::string& directory,
                                                   const SeriesOptions& options = {}) {
  auto store = OpenSeries(directory, options);
  EXPECT_TRUE(store) << (store ? "" : store.error().message);
  return store ? std::move(*store) : nullptr;
}

inline SeriesBatch Batch(const std::string& run, const std::string& name, Points points) {
  return {.run = RunKey{run}, .series = {{.name = name, .points = std::move(points)}}};
}

inline MetricPoint At(std::int64_t step, double value) {
  return {.step = step, .time = Time{1'760'000'000'000'000 + step * 1000}, .value = value};
}

// Steps from (inside) to (outside), with their own number as value.
inline Points Counting(std::int64_t from, std::int64_t to) {
  Points points;
  for (std::int64_t step = from; step < to; ++step) {
    points.push_back(At(step, static_cast<double>(step)));
  }
  return points;
}

inline void MustAppend(SeriesStore& store, SeriesBatch batch) {
  Status status = store.Append(std::move(batch));
  EXPECT_TRUE(status) << (status ? "" : status.error().message);
}

inline Points MustRead(SeriesStore& store, const std::string& run, const std::string& name,
                       const RangeQuery& query = {}) {
  auto range = store.Read({RunKey{run}, name}, query);
  EXPECT_TRUE(range) << (range ? "" : range.error().message);
  if (!range) return {};
  EXPECT_TRUE(range->damaged.empty());
  return range->points;
}

}  // namespace yard::store
