// The store beside a plain model: a sorted set of points per series. Random orders, repeats, late
// points, flushes, compactions, restarts, deletions.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "store/series/series_fixture.h"

namespace yard::store {
namespace {

using Model = std::map<std::string, std::map<std::string, std::set<MetricPoint>>>;

class Twins {
 public:
  explicit Twins(std::uint64_t seed) : random_(seed) { Reopen(); }

  void Act() {
    switch (random_.Below(20)) {
      case 0:
        EXPECT_TRUE(store_->Flush());
        break;
      case 1:
        Reopen();
        break;
      case 2:
        if (random_.Below(4) == 0) Delete(RandomRun());
        break;
      case 3:
        EXPECT_TRUE(random_.Below(4) > 0 || store_->Compact());
        break;
      default:
        Append();
    }
  }

  void CompareAll() {
    for (const auto& [run, series] : model_) {
      for (const auto& [name, points] : series) Compare(run, name, points);
      auto list = store_->List(RunKey{run});
      ASSERT_TRUE(list);
      EXPECT_EQ(list->size(), series.size());
    }
    EXPECT_TRUE(store_->Damages().empty());
  }

 private:
  std::string RandomRun() { return std::string(1, static_cast<char>('a' + random_.Below(2))); }

  MetricPoint RandomPoint(std::int64_t base) {
    constexpr std::array kValues{0.25, -1.5, kNan, kInfinity, -kInfinity, 1e-300, 3.0};
    MetricPoint point;
    point.step = base + static_cast<std::int64_t>(random_.Below(3000));
    point.time = Time{static_cast<std::int64_t>(random_.Below(5)) * 1'000'003};
    point.value = random_.Below(3) == 0 ? kValues[random_.Below(kValues.size())]
                                        : static_cast<double>(random_.Below(1000)) / 7;
    if (random_.Below(500) == 0) point.step = random_.Below(2) == 0 ? INT64_MAX : INT64_MIN;
    return point;
  }

  void Append() {
    SeriesBatch batch{.run = RunKey{RandomRun()}, .series = {}};
    std::int64_t base = static_cast<std::int64_t>(random_.Below(30)) * 500 - 4000;
    for (std::uint64_t i = 0; i <= random_.Below(3); ++i) {
      SeriesPoints series{.name = fmt::format("m{}", random_.Below(3)), .points = {}};
      std::uint64_t count = 1 + random_.Below(random_.Below(8) == 0 ? 9000 : 60);
      for (std::uint64_t k = 0; k < count; ++k) series.points.push_back(RandomPoint(base));
      auto& twin = model_[batch.run.text][series.name];
      twin.insert(series.points.begin(), series.points.end());
      batch.series.push_back(std::move(series));
    }
    MustAppend(*store_, std::move(batch));
  }

  void Delete(const std::string& run) {
    EXPECT_TRUE(store_->DeleteRun(RunKey{run}));
    model_.erase(run);
  }

  void Reopen() {
    store_.reset();
    store_ = MustOpenSeries(directory_.path(), {.memory_points = 4000});
  }

  void Compare(const std::string& run, const std::string& name, const std::set<MetricPoint>& twin) {
    Points expected(twin.begin(), twin.end());
    EXPECT_TRUE(MustRead(*store_, run, name) == expected);
    auto latest = store_->Latest({RunKey{run}, name});
    ASSERT_TRUE(latest && *latest);
    EXPECT_EQ(**latest, expected.back());
    RangeQuery query{.from_step = static_cast<std::int64_t>(random_.Below(2000)),
                     .to_step = static_cast<std::int64_t>(random_.Below(9000)),
                     .limit = 1 + random_.Below(3000)};
    if (random_.Below(2) == 0) query.per_step = PerStep::kLast;
    EXPECT_TRUE(MustRead(*store_, run, name, query) == Plainly(expected, query));
    CompareChart(run, name, expected);
  }

  static Points Plainly(const Points& all, const RangeQuery& query) {
    Points some;
    for (const MetricPoint& point : all) {
      if (point.step < query.from_step || point.step > query.to_step) continue;
      bool same_step = !some.empty() && some.back().step == point.step;
      if (query.per_step == PerStep::kLast && same_step) some.pop_back();
      some.push_back(point);
    }
    some.resize(std::min(some.size(), query.limit));
    return some;
  }

  void CompareChart(const std::string& run, const std::string& name, const Points& expected) {
    ChartQuery query{.pixels = static_cast<std::uint32_t>(1 + random_.Below(50))};
    if (random_.Below(2) == 0) query.axis = ChartAxis::kTime;
    if (random_.Below(2) == 0) query.from = -3000;
    if (random_.Below(2) == 0) query.to = 9000;
    auto chart = store_->Draw({RunKey{run}, name}, query);
    ASSERT_TRUE(chart);
    std::vector<Outline> plain(query.pixels);
    for (const MetricPoint& point : expected) {
      std::int64_t at = chart->window.At(point);
      if (chart->window.Holds(at)) plain[chart->window.PixelOf(at)].Add(point);
    }
    std::vector<ChartPixel> pixels;
    for (std::uint32_t i = 0; i < query.pixels; ++i) {
      if (plain[i].points > 0) pixels.push_back({.pixel = i, .outline = plain[i]});
    }
    EXPECT_TRUE(chart->pixels == pixels);
  }

  SeededRandom random_;
  TemporaryDirectory directory_;
  std::unique_ptr<SeriesStore> store_;
  Model model_;
};

TEST(SeriesProperty, TheStoreAgreesWithASortedSet) {
  for (std::uint64_t seed = 1; seed <= 8 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Twins twins(seed);
    for (int step = 0; step < 60 && !testing::Test::HasFailure(); ++step) {
      twins.Act();
      if (step % 10 == 9) twins.CompareAll();
    }
  }
}

}  // namespace
}  // namespace yard::store
