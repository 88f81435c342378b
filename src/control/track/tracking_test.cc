#include "control/track/tracking.h"

#include <future>
#include <map>

#include <gtest/gtest.h>

#include "base/random.h"
#include "control/track/search.h"
#include "wire/tracking.h"

namespace yard::control {
namespace {

// Keeps records over the lives of stores, and can be told to be full.
struct Disk {
  std::map<std::pair<std::string, std::string>, std::string> rows;
  bool full = false;
  int writes = 0;
};

class DiskRecords final : public store::RecordStore {
 public:
  explicit DiskRecords(Disk& disk) : disk_(disk) {}
  Status Load(const Visit& visit) override {
    for (const auto& [key, body] : disk_.rows) YARD_TRY(visit(key.first, key.second, body));
    return {};
  }
  Status Write(std::span<const store::RecordChange> changes) override {
    ++disk_.writes;
    if (disk_.full) return Fail(Code::kUnavailable, "the disk is full");
    for (const store::RecordChange& change : changes) {
      disk_.rows.erase({change.kind, change.id});
      if (change.body) disk_.rows[{change.kind, change.id}] = *change.body;
    }
    return {};
  }
  Status Backup(const std::string&) override { return {}; }

 private:
  Disk& disk_;
};

// Remembers the latest point of each metric only.
class LatestOnly final : public store::SeriesStore {
 public:
  void AppendLater(store::SeriesBatch batch, Done done) override {
    for (const store::SeriesPoints& series : batch.series) {
      latest_[{batch.run.text, series.name}] = series.points.back();
    }
    done({});
  }
  Result<store::SeriesRange> Read(const store::SeriesKey&, const store::RangeQuery&) override {
    return store::SeriesRange{};
  }
  Result<store::SeriesChart> Draw(const store::SeriesKey&, const store::ChartQuery&) override {
    return store::SeriesChart{};
  }
  Result<std::optional<MetricPoint>> Latest(const store::SeriesKey&) override {
    return std::nullopt;
  }
  Result<std::vector<store::SeriesSummary>> List(const RunKey&) override {
    return std::vector<store::SeriesSummary>{};
  }
  Status Each(const VisitSeries& visit) override {
    for (const auto& [key, point] : latest_) {
      visit(RunKey{key.first}, {.name = key.second, .points = 1, .latest = point});
    }
    return {};
  }
  Status DeleteRun(const RunKey&) override { return {}; }
  Status Prune(const RunKey&, Time) override { return {}; }
  Status Flush() override { return {}; }
  Status Compact() override { return {}; }
  Status Backup(const std::string&) override { return {}; }
  Status Verify() override { return {}; }
  std::vector<std::string> Damages() const override { return {}; }

 private:
  std::map<std::pair<std::string, std::string>, MetricPoint> latest_;
};

class TrackingTest : public testing::Test {
 protected:
  void Open() {
    tracking_.reset();
    auto opened = Tracking::Open({.records = std::make_unique<DiskRecords>(disk_),
                                  .series = std::make_unique<LatestOnly>(),
                                  .clock = clock_,
                                  .random = random_,
                                  .artifacts = ""});
    ASSERT_TRUE(opened) << opened.error().message;
    tracking_ = *std::move(opened);
  }
  Status Write(Tracking::Change change) {
    std::promise<Status> done;
    tracking_->Write(std::move(change), [&](Status status) { done.set_value(std::move(status)); });
    return done.get_future().get();
  }
  Status PutRun(const std::string& id, Time start, Tags params = {}) {
    return Write([=](TrackTxn& txn) -> Status {
      txn.Put(TrackedRun{.id = id, .experiment = "1", .start = start, .params = params});
      return {};
    });
  }
  std::vector<std::string> Found(RunSearch search) {
    search.experiments = {"1"};
    std::vector<std::string> ids;
    for (const FoundRun& found : SearchRuns(tracking_->catalog(), search).runs) {
      ids.push_back(found.run->id);
    }
    return ids;
  }

  Disk disk_;
  ManualClock clock_{Time{1000}};
  SeededRandom random_{7};
  std::unique_ptr<Tracking> tracking_;
};

TEST_F(TrackingTest, WhatIsAcknowledgedIsThereInTheNextLife) {
  Open();
  ASSERT_TRUE(PutRun("a", Time{1}, {{"lr", "0.1"}}));
  Open();
  Shared<TrackedRun> run = tracking_->catalog().Find<TrackedRun>("a");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->params.at("lr"), "0.1");
}

TEST_F(TrackingTest, ARefusedChangeLeavesNothing) {
  Open();
  Status refused = Write([](TrackTxn& txn) -> Status {
    txn.Put(TrackedRun{.id = "a", .experiment = "1"});
    return Fail(Code::kInvalid, "no");
  });
  EXPECT_EQ(refused.error().code, Code::kInvalid);
  EXPECT_FALSE(tracking_->catalog().Find<TrackedRun>("a"));
  EXPECT_TRUE(disk_.rows.empty());
}

TEST_F(TrackingTest, NothingGrowsWithoutABound) {
  Open();
  const Tags large{{"text", std::string(5'000'000, 'x')}};
  EXPECT_EQ(PutRun("a", Time{1}, large).error().code, Code::kInvalid);
  EXPECT_EQ(Write([&](TrackTxn& txn) -> Status {
              txn.Put(Experiment{.id = "1", .tags = large});
              return {};
            })
                .error()
                .code,
            Code::kInvalid);
  EXPECT_TRUE(disk_.rows.empty());
}

TEST_F(TrackingTest, WhatIsTooLargeAlreadyMayStillChangeIfItDoesNotGrow) {
  const TrackedRun old{.id = "a", .experiment = "1", .tags = {{"x", std::string(5'000'000, 'x')}}};
  disk_.rows[{"run", "a"}] = wire::EncodeTracked(old);
  Open();
  ASSERT_TRUE(tracking_->catalog().Find<TrackedRun>("a"));
  EXPECT_TRUE(Write([&](TrackTxn& txn) -> Status {
    TrackedRun run = *txn.Find<TrackedRun>("a");
    run.lifecycle = Lifecycle::kDeleted;
    txn.Put(std::move(run));
    return {};
  }));
}

TEST_F(TrackingTest, ARunHasABoundedNumberOfMetrics) {
  Open();
  ASSERT_TRUE(PutRun("a", Time{1}));
  RunSlot& slot = *tracking_->catalog().FindRun("a");
  auto append = [&](const std::vector<std::string>& names) {
    std::vector<store::SeriesPoints> points;
    for (const std::string& name : names) points.push_back({name, {{.step = 1}}});
    std::promise<Status> done;
    tracking_->Append(slot, "a", points, [&](Status s) { done.set_value(std::move(s)); });
    return done.get_future().get();
  };
  std::vector<std::string> names;
  for (std::size_t i = 0; i < Tracking::kMostMetrics; ++i) names.push_back(std::to_string(i));
  EXPECT_TRUE(append(names));
  EXPECT_EQ(append({"one more"}).error().code, Code::kInvalid);
  EXPECT_TRUE(append({"7"})) << "those that are there go on";
  EXPECT_EQ(append({""}).error().code, Code::kInvalid);
  EXPECT_EQ(append({std::string(2000, 'x')}).error().code, Code::kInvalid);
}

TEST_F(TrackingTest, AnExperimentThatIsNamedTwiceIsSearchedOnce) {
  Open();
  ASSERT_TRUE(PutRun("a", Time{1}));
  RunSearch search{.experiments = {"1", "1", "1"}, .limit = 10};
  EXPECT_EQ(SearchRuns(tracking_->catalog(), search).total, 1U);
}

TEST_F(TrackingTest, AFullDiskRefusesAndMemoryStaysAsItWas) {
  Open();
  ASSERT_TRUE(PutRun("a", Time{1}));
  disk_.full = true;
  Status refused = PutRun("a", Time{2});
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  EXPECT_EQ(tracking_->catalog().Find<TrackedRun>("a")->start, Time{1});
  disk_.full = false;
  EXPECT_TRUE(PutRun("a", Time{2}));
}

TEST_F(TrackingTest, ChangesThatWaitShareAWriteAndSeeEachOther) {
  Open();
  std::promise<void> gate;
  std::vector<std::future<Status>> done;
  auto later = [&](Tracking::Change change) {
    auto promise = std::make_shared<std::promise<Status>>();
    done.push_back(promise->get_future());
    tracking_->Write(std::move(change),
                     [promise](Status status) { promise->set_value(std::move(status)); });
  };
  later([held = gate.get_future().share()](TrackTxn&) -> Status {
    held.wait();
    return {};
  });
  for (int i = 0; i < 3; ++i) {
    later([](TrackTxn& txn) -> Status {
      txn.Put(Experiment{.id = txn.NextExperimentId(), .name = txn.NextExperimentId()});
      return {};
    });
  }
  gate.set_value();
  for (auto& one : done) EXPECT_TRUE(one.get());
  EXPECT_LE(disk_.writes, 2);
  EXPECT_TRUE(tracking_->catalog().Find<Experiment>("3"));
}

TEST_F(TrackingTest, ASearchKnowsTheLatestPointOfEachMetric) {
  Open();
  ASSERT_TRUE(PutRun("good", Time{1}));
  ASSERT_TRUE(PutRun("bad", Time{2}));
  ASSERT_TRUE(PutRun("silent", Time{3}));
  for (const auto& [id, loss] : {std::pair{"good", 0.1}, {"bad", 0.9}}) {
    std::promise<Status> stored;
    tracking_->Append(*tracking_->catalog().FindRun(id), id,
                      {{"loss", {{.step = 1, .value = 5}, {.step = 2, .value = loss}}}},
                      [&](Status status) { stored.set_value(std::move(status)); });
    ASSERT_TRUE(stored.get_future().get());
  }
  Field loss{FieldKind::kMetric, "loss"};
  EXPECT_EQ(
      Found({.conditions = {{.field = loss, .comparison = Comparison::kLess, .number = 0.5}}}),
      std::vector<std::string>{"good"});
  EXPECT_EQ(Found({.orders = {{.field = loss}}}),
            (std::vector<std::string>{"good", "bad", "silent"}));
  EXPECT_EQ(Found({}), (std::vector<std::string>{"silent", "bad", "good"}));
  EXPECT_EQ(Found({.offset = 1, .limit = 1}), std::vector<std::string>{"bad"});
}

}  // namespace
}  // namespace yard::control
