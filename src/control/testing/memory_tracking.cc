#include "control/testing/memory_tracking.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/check.h"
#include "control/testing/memory_records.h"
#include "track/downsample.h"

namespace yard::control {
namespace {

// Whole histories, as sets.
class Series final : public store::SeriesStore {
 public:
  void AppendLater(store::SeriesBatch batch, Done done) override {
    {
      std::lock_guard lock(mutex_);
      for (const store::SeriesPoints& series : batch.series) {
        histories_[{batch.run, series.name}].insert(series.points.begin(), series.points.end());
      }
    }
    done({});
  }
  Result<store::SeriesRange> Read(const store::SeriesKey& key,
                                  const store::RangeQuery& query) override {
    store::SeriesRange range;
    for (const MetricPoint& point : Points(key)) {
      bool inside = query.from_step <= point.step && point.step <= query.to_step;
      bool fresh = !query.after || *query.after < point;
      if (inside && fresh && range.points.size() < query.limit) range.points.push_back(point);
    }
    return range;
  }
  Result<store::SeriesChart> Draw(const store::SeriesKey& key,
                                  const store::ChartQuery& query) override {
    std::vector<MetricPoint> points = Points(key);
    store::SeriesChart chart{.window = {.axis = query.axis, .pixels = query.pixels}};
    if (points.empty()) return chart;
    chart.window.from = query.from.value_or(chart.window.At(points.front()));
    chart.window.to = query.to.value_or(chart.window.At(points.back()));
    chart.pixels = track::Downsample(points, chart.window);
    return chart;
  }
  Result<std::optional<MetricPoint>> Latest(const store::SeriesKey& key) override {
    std::vector<MetricPoint> points = Points(key);
    return points.empty() ? std::nullopt : std::optional(points.back());
  }
  Result<std::vector<store::SeriesSummary>> List(const RunKey&) override {
    return std::vector<store::SeriesSummary>{};
  }
  Status Each(const VisitSeries&) override { return {}; }
  Status DeleteRun(const RunKey&) override { return {}; }
  Status Prune(const RunKey&, Time) override { return {}; }
  Status Flush() override { return {}; }
  Status Compact() override { return {}; }
  Status Backup(const std::string&) override { return {}; }
  Status Verify() override { return {}; }
  std::vector<std::string> Damages() const override { return {}; }

 private:
  std::vector<MetricPoint> Points(const store::SeriesKey& key) {
    std::lock_guard lock(mutex_);
    const std::set<MetricPoint>& points = histories_[key];
    return {points.begin(), points.end()};
  }

  std::mutex mutex_;
  std::map<store::SeriesKey, std::set<MetricPoint>> histories_;  // guarded by mutex_
};

std::string MakeFolder() {
  std::string folder = std::filesystem::temp_directory_path() / "yard-tracking-XXXXXX";
  YARD_CHECK(::mkdtemp(folder.data()) != nullptr);
  return folder;
}

}  // namespace

MemoryTracking::MemoryTracking(const Clock& clock, Random& random) : folder_(MakeFolder()) {
  auto opened = Tracking::Open({.records = std::make_unique<MemoryRecords>(),
                                .series = std::make_unique<Series>(),
                                .clock = clock,
                                .random = random,
                                .artifacts = folder_});
  YARD_CHECK(opened.has_value());
  tracking_ = *std::move(opened);
}

MemoryTracking::~MemoryTracking() {
  tracking_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace yard::control
