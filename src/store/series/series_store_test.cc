#include "store/series/series_store.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "store/series/series_fixture.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {
namespace {

class SeriesTest : public testing::Test {
 protected:
  void Reopen() {
    store_.reset();
    store_ = MustOpenSeries(directory_.path());
    ASSERT_NE(store_, nullptr);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<SeriesStore> store_ = MustOpenSeries(directory_.path());
};

TEST_F(SeriesTest, PointsComeBackInOrderFromLogAndFromBlocks) {
  MustAppend(*store_, Batch("r", "loss", {At(2, 0.5), At(0, 0.9), At(1, 0.7)}));
  Points expected{At(0, 0.9), At(1, 0.7), At(2, 0.5)};
  EXPECT_EQ(MustRead(*store_, "r", "loss"), expected);
  Reopen();
  EXPECT_EQ(MustRead(*store_, "r", "loss"), expected);
  ASSERT_TRUE(store_->Flush());
  EXPECT_EQ(MustRead(*store_, "r", "loss"), expected);
  Reopen();
  EXPECT_EQ(MustRead(*store_, "r", "loss"), expected);
}

TEST_F(SeriesTest, ABatchSentAgainCountsOnce) {
  for (int round = 0; round < 3; ++round) {
    MustAppend(*store_, Batch("r", "loss", Counting(0, 10)));
    EXPECT_TRUE(round != 1 || store_->Flush());
  }
  EXPECT_EQ(MustRead(*store_, "r", "loss"), Counting(0, 10));
  ASSERT_TRUE(store_->Flush());
  EXPECT_EQ(store_->List(RunKey{"r"})->front().points, 10u);
}

TEST_F(SeriesTest, StrangeStepsAndValuesAreKept) {
  Points points{{INT64_MIN, Time{5}, kNan}, {-1, Time{9}, -kInfinity},
                {0, Time{-7}, -0.0},        {0, Time{8}, 0.0},
                {0, Time{8}, 1.0},          {INT64_MAX, Time{INT64_MAX}, kInfinity}};
  MustAppend(*store_, Batch("r", "x", points));
  EXPECT_EQ(MustRead(*store_, "r", "x"), points);
  ASSERT_TRUE(store_->Flush());
  EXPECT_EQ(MustRead(*store_, "r", "x"), points);
  auto chart = store_->Draw({RunKey{"r"}, "x"}, {.pixels = 10});
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->window.from, INT64_MIN);
  EXPECT_EQ(chart->window.to, INT64_MAX);
  EXPECT_EQ(chart->pixels.back().pixel, 9u);
}

TEST_F(SeriesTest, NamesAreBytesWithoutMeaning) {
  for (const std::string& name :
       {std::string("../../x"), std::string("a\0b", 3), std::string("verlust 📉"),
        std::string("\xff\xfe"), std::string("'; DROP TABLE block; --")}) {
    MustAppend(*store_, Batch(name, name, {At(1, 2)}));
    ASSERT_TRUE(store_->Flush());
    EXPECT_EQ(MustRead(*store_, name, name), Points{At(1, 2)});
    EXPECT_EQ(store_->List(RunKey{name})->size(), 1u);
  }
}

TEST_F(SeriesTest, BadBatchesAreRefused) {
  EXPECT_EQ(store_->Append(Batch("", "x", {At(1, 2)})).error().code, Code::kInvalid);
  EXPECT_EQ(store_->Append(Batch("r", "", {At(1, 2)})).error().code, Code::kInvalid);
  EXPECT_EQ(store_->Append(Batch("r", std::string(2000, 'x'), {})).error().code, Code::kTooLarge);
  EXPECT_EQ(store_->Append(Batch("r", "x", Points(kMaxBatchPoints + 1))).error().code,
            Code::kTooLarge);
}

TEST_F(SeriesTest, PagesGoOnWhereTheLastOneEnded) {
  MustAppend(*store_, Batch("r", "x", Counting(0, 6000)));
  ASSERT_TRUE(store_->Flush());
  MustAppend(*store_, Batch("r", "x", Counting(6000, 10'000)));
  Points all;
  RangeQuery query{.limit = 777};
  while (true) {
    Points page = MustRead(*store_, "r", "x", query);
    if (page.empty()) break;
    all.insert(all.end(), page.begin(), page.end());
    query.after = page.back();
  }
  EXPECT_EQ(all, Counting(0, 10'000));
}

TEST_F(SeriesTest, ARangeHasItsEnds) {
  MustAppend(*store_, Batch("r", "x", Counting(0, 10'000)));
  ASSERT_TRUE(store_->Flush());
  EXPECT_EQ(MustRead(*store_, "r", "x", {.from_step = 4000, .to_step = 4200}),
            Counting(4000, 4201));
  EXPECT_TRUE(MustRead(*store_, "r", "x", {.from_step = 10'000}).empty());
}

TEST_F(SeriesTest, TheLastOfAStepIsTheNewestAttempt) {
  MustAppend(*store_, Batch("r", "x", {{1, Time{10}, 5}, {2, Time{20}, 6}, {3, Time{30}, 7}}));
  ASSERT_TRUE(store_->Flush());
  MustAppend(*store_, Batch("r", "x", {{2, Time{40}, 1}, {3, Time{50}, 2}}));
  Points expected{{1, Time{10}, 5}, {2, Time{40}, 1}, {3, Time{50}, 2}};
  EXPECT_EQ(MustRead(*store_, "r", "x", {.per_step = PerStep::kLast}), expected);
  EXPECT_EQ(MustRead(*store_, "r", "x", {.per_step = PerStep::kLast, .limit = 2}).size(), 2u);
}

TEST_F(SeriesTest, TheLatestIsTheGreatestStepThenTimeThenValue) {
  SeriesKey key{RunKey{"r"}, "x"};
  EXPECT_EQ(*store_->Latest(key), std::nullopt);
  MustAppend(*store_, Batch("r", "x", {At(9, 1), At(3, 100)}));
  EXPECT_EQ(*store_->Latest(key), At(9, 1));
  ASSERT_TRUE(store_->Flush());
  EXPECT_EQ(*store_->Latest(key), At(9, 1));
  MustAppend(*store_, Batch("r", "x", {At(9, 0), At(4, 100)}));
  EXPECT_EQ(*store_->Latest(key), At(9, 1));
  MustAppend(*store_, Batch("r", "x", {At(9, 2)}));
  ASSERT_TRUE(store_->Flush());
  EXPECT_EQ(*store_->Latest(key), At(9, 2));
}

TEST_F(SeriesTest, EveryMetricOfEveryRunIsListedFromLogAndBlocks) {
  MustAppend(*store_, Batch("r", "x", Counting(0, 10)));
  ASSERT_TRUE(store_->Flush());
  MustAppend(*store_, Batch("r", "x", Counting(10, 12)));
  MustAppend(*store_, Batch("s", "y", Counting(0, 3)));
  std::map<std::string, double> latest;
  ASSERT_TRUE(store_->Each([&](const RunKey& run, const SeriesSummary& summary) {
    double& known = latest[run.text + " " + summary.name];
    known = std::max(known, summary.latest.value);
  }));
  EXPECT_EQ(latest, (std::map<std::string, double>{{"r x", 11}, {"s y", 2}}));
}

TEST_F(SeriesTest, ADeletedRunBeginsAnew) {
  MustAppend(*store_, Batch("r", "x", Counting(0, 100)));
  MustAppend(*store_, Batch("other", "x", Counting(0, 5)));
  ASSERT_TRUE(store_->Flush());
  MustAppend(*store_, Batch("r", "y", Counting(0, 10)));
  ASSERT_TRUE(store_->DeleteRun(RunKey{"r"}));
  EXPECT_TRUE(MustRead(*store_, "r", "x").empty());
  EXPECT_TRUE(store_->List(RunKey{"r"})->empty());
  MustAppend(*store_, Batch("r", "x", Counting(7, 9)));
  Reopen();
  EXPECT_EQ(MustRead(*store_, "r", "x"), Counting(7, 9));
  ASSERT_TRUE(store_->Flush());
  EXPECT_EQ(MustRead(*store_, "r", "x"), Counting(7, 9));
  EXPECT_EQ(store_->List(RunKey{"r"})->size(), 1u);
  EXPECT_EQ(MustRead(*store_, "other", "x").size(), 5u);
}

TEST_F(SeriesTest, PruningTakesBlocksThatAreWhollyOlder) {
  for (std::int64_t from = 0; from < 5 * 4096; from += 4096) {
    MustAppend(*store_, Batch("r", "x", Counting(from, from + 4096)));
    ASSERT_TRUE(store_->Flush());
  }
  ASSERT_TRUE(store_->Prune(RunKey{"r"}, At(2 * 4096 + 10, 0).time));
  EXPECT_EQ(MustRead(*store_, "r", "x"), Counting(2 * 4096, 5 * 4096));
  EXPECT_EQ(store_->List(RunKey{"r"})->front().points, 3u * 4096);
  ASSERT_TRUE(store_->Prune(RunKey{"r"}, At(1'000'000, 0).time));
  EXPECT_TRUE(store_->List(RunKey{"r"})->empty());
}

TEST_F(SeriesTest, LatePointsGoBetweenTheOthers) {
  Points all = Counting(0, 30'000);
  Points even;
  Points odd;
  for (const MetricPoint& point : all) (point.step % 2 == 0 ? even : odd).push_back(point);
  MustAppend(*store_, Batch("r", "x", even));
  ASSERT_TRUE(store_->Flush());
  MustAppend(*store_, Batch("r", "x", odd));
  EXPECT_EQ(MustRead(*store_, "r", "x"), all);
  ASSERT_TRUE(store_->Flush());
  EXPECT_EQ(MustRead(*store_, "r", "x"), all);
  ASSERT_TRUE(store_->Compact());
  EXPECT_EQ(MustRead(*store_, "r", "x"), all);
}

TEST_F(SeriesTest, ManySmallFlushesBecomeFewBlocks) {
  for (std::int64_t step = 0; step < 40; ++step) {
    MustAppend(*store_, Batch("r", "x", Counting(step, step + 1)));
    ASSERT_TRUE(store_->Flush());
  }
  auto database = Database::Open(directory_.path() + "/series.db", OpenMode::kExisting);
  ASSERT_TRUE(database);
  EXPECT_LT(database->QueryInt("SELECT count(*) FROM block")->value(), 8);
  ASSERT_TRUE(store_->Compact());
  EXPECT_EQ(database->QueryInt("SELECT count(*) FROM block")->value(), 1);
  EXPECT_EQ(MustRead(*store_, "r", "x"), Counting(0, 40));
}

TEST_F(SeriesTest, PeaksSurviveInAChart) {
  Points points = Counting(0, 100'000);
  for (MetricPoint& point : points) point.value = 0.5;
  points[77'777].value = 1e6;
  points[12'345].value = -1e6;
  MustAppend(*store_, Batch("r", "x", points));
  ASSERT_TRUE(store_->Flush());
  auto chart = store_->Draw({RunKey{"r"}, "x"}, {.pixels = 100});
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->pixels.size(), 100u);
  EXPECT_EQ(chart->pixels[77].outline.high.step, 77'777);
  EXPECT_EQ(chart->pixels[12].outline.low.step, 12'345);
  EXPECT_EQ(chart->pixels[50].outline.points, 1000u);
}

TEST_F(SeriesTest, ChartsByTimeAndOfAWindow) {
  MustAppend(*store_, Batch("r", "x", Counting(0, 50'000)));
  ASSERT_TRUE(store_->Flush());
  auto chart = store_->Draw({RunKey{"r"}, "x"}, {.pixels = 10,
                                                 .axis = ChartAxis::kTime,
                                                 .from = At(1000, 0).time.micros,
                                                 .to = At(1999, 0).time.micros});
  ASSERT_TRUE(chart);
  std::uint64_t points = 0;
  for (const ChartPixel& pixel : chart->pixels) points += pixel.outline.points;
  EXPECT_EQ(points, 1000u);
  EXPECT_EQ(chart->pixels.front().outline.first.step, 1000);
  EXPECT_FALSE(store_->Draw({RunKey{"r"}, "x"}, {.pixels = 0}));
  EXPECT_TRUE(store_->Draw({RunKey{"none"}, "x"}, {})->pixels.empty());
}

TEST_F(SeriesTest, ManyMetricsOfOneRunAreListedByName) {
  SeriesBatch batch{.run = RunKey{"r"}, .series = {}};
  for (int i = 0; i < 10'000; ++i) {
    batch.series.push_back({.name = fmt::format("metric/{:05}", i), .points = {At(1, i)}});
  }
  MustAppend(*store_, batch);
  ASSERT_TRUE(store_->Flush());
  for (SeriesPoints& series : batch.series) series.points = {At(2, 7)};
  MustAppend(*store_, batch);
  auto list = store_->List(RunKey{"r"});
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 10'000u);
  EXPECT_EQ((*list)[1234].name, "metric/01234");
  EXPECT_EQ((*list)[1234].points, 2u);
  EXPECT_EQ((*list)[1234].latest, At(2, 7));
}

TEST_F(SeriesTest, ABackupIsAStoreOfItsOwn) {
  MustAppend(*store_, Batch("r", "x", Counting(0, 100)));
  TemporaryDirectory other;
  ASSERT_TRUE(store_->Backup(other.path() + "/series.db"));
  EXPECT_EQ(MustRead(*MustOpenSeries(other.path()), "r", "x"), Counting(0, 100));
}

TEST_F(SeriesTest, OneProcessOwnsTheDirectory) {
  auto second = OpenSeries(directory_.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict);
}

}  // namespace
}  // namespace yard::store
