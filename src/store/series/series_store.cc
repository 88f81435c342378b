#include "store/series/series_store.h"

#include <algorithm>
#include <future>
#include <utility>

#include "store/series/batch_rules.h"
#include "store/series/block_writer.h"
#include "store/series/committer.h"
#include "store/series/damage_list.h"
#include "store/series/fresh.h"
#include "store/series/history.h"
#include "store/series/log.h"
#include "store/sqlite/backup.h"
#include "store/sqlite/directory_lock.h"
#include "store/sqlite/reader_pool.h"

namespace yard::store {
namespace {

// Points of the same name are one summary.
void JoinSummaries(std::vector<SeriesSummary>& all) {
  std::ranges::stable_sort(all, {}, &SeriesSummary::name);
  std::vector<SeriesSummary> joined;
  for (SeriesSummary& summary : all) {
    if (joined.empty() || joined.back().name != summary.name) {
      joined.push_back(std::move(summary));
      continue;
    }
    joined.back().points += summary.points;
    joined.back().latest = std::max(joined.back().latest, summary.latest);
  }
  all = std::move(joined);
}

template <class Begin>
Status AndWait(Begin begin) {
  // Shared: the thread that answers may still hold it when the waiting one is gone.
  auto promise = std::make_shared<std::promise<Status>>();
  std::future<Status> answer = promise->get_future();
  begin([promise](Status status) { promise->set_value(std::move(status)); });
  return answer.get();
}

class DirectorySeries final : public SeriesStore {
 public:
  DirectorySeries(DirectoryLock lock, std::string database)
      : lock_(std::move(lock)), pool_(std::move(database)) {}

  Status Start(const std::string& directory, const std::string& database,
               const SeriesOptions& options) {
    YARD_ASSIGN(blocks_, BlockWriter::Open(database, damages_));
    std::int64_t flushed = 0;
    {
      YARD_ASSIGN(ReaderPool::Lease lease, pool_.Take());
      YARD_ASSIGN(flushed, BlockReader(lease.database()).FlushedLog());
    }
    fresh_ = std::make_unique<Fresh>(flushed);
    SeriesLog log(directory);
    YARD_ASSIGN(std::vector<std::string> damages, log.Replay(flushed, [&](std::string_view bytes) {
      auto records = ReadRecords(bytes);
      if (records) fresh_->Apply(std::move(*records));
      return records.has_value();
    }));
    for (std::string& damage : damages) damages_.Add(std::move(damage));
    committer_ = std::make_unique<Committer>(std::move(log), *fresh_, *blocks_, options);
    return {};
  }

  void AppendLater(SeriesBatch batch, Done done) override {
    Status fits = CheckBatch(batch);
    if (!fits) return done(fits);
    committer_->Submit(std::move(batch), std::move(done));
  }

  Result<SeriesRange> Read(const SeriesKey& key, const RangeQuery& query) override {
    return WithHistory(key,
                       [&](HistorySource source) { return ReadHistory(std::move(source), query); });
  }

  Result<SeriesChart> Draw(const SeriesKey& key, const ChartQuery& query) override {
    return WithHistory(key,
                       [&](HistorySource source) { return DrawHistory(std::move(source), query); });
  }

  Result<std::optional<MetricPoint>> Latest(const SeriesKey& key) override;
  Result<std::vector<SeriesSummary>> List(const RunKey& run) override;
  Status Each(const VisitSeries& visit) override;
  Status DeleteRun(const RunKey& run) override;

  Status Prune(const RunKey& run, Time before) override { return blocks_->Prune(run, before); }
  Status Flush() override { return committer_->Flush(); }
  Status Compact() override {
    YARD_TRY(Flush());
    return blocks_->Compact();
  }
  Status Backup(const std::string& path) override {
    YARD_TRY(Flush());
    YARD_ASSIGN(ReaderPool::Lease lease, pool_.Take());
    return WriteBackup(lease.database(), path);
  }
  Status Verify() override { return blocks_->Verify(); }
  std::vector<std::string> Damages() const override { return damages_.All(); }

 private:
  template <class Use>
  auto WithHistory(const SeriesKey& key, Use use) -> decltype(use(std::declval<HistorySource>()));

  DirectoryLock lock_;
  DamageList damages_;
  ReaderPool pool_;
  std::unique_ptr<BlockWriter> blocks_;
  std::unique_ptr<Fresh> fresh_;
  std::unique_ptr<Committer> committer_;
};

// Memory first, then the blocks: in this order nothing is missed.
template <class Use>
auto DirectorySeries::WithHistory(const SeriesKey& key, Use use)
    -> decltype(use(std::declval<HistorySource>())) {
  FreshView view = fresh_->ViewPoints(key);
  YARD_ASSIGN(ReaderPool::Lease lease, pool_.Take());
  BlockReader reader(lease.database());
  YARD_ASSIGN(std::int64_t flushed, reader.FlushedLog());
  FreshPart fresh = view.Over(flushed);
  SortPoints(fresh.points);
  std::optional<std::int64_t> series;
  if (!fresh.hides_blocks) {
    YARD_ASSIGN(auto found, reader.Find(key));
    if (found) series = found->id;
  }
  return use(HistorySource{.reader = reader,
                           .damages = damages_,
                           .key = key,
                           .series = series,
                           .fresh = std::move(fresh.points)});
}

Result<std::optional<MetricPoint>> DirectorySeries::Latest(const SeriesKey& key) {
  FreshView view = fresh_->ViewSummary(key);
  YARD_ASSIGN(ReaderPool::Lease lease, pool_.Take());
  BlockReader reader(lease.database());
  YARD_ASSIGN(std::int64_t flushed, reader.FlushedLog());
  FreshPart fresh = view.Over(flushed);
  std::optional<MetricPoint> latest;
  if (!fresh.hides_blocks) {
    YARD_ASSIGN(auto found, reader.Find(key));
    if (found) latest = found->summary.latest;
  }
  for (const SeriesSummary& summary : fresh.series) {
    latest = std::max(latest, std::optional(summary.latest));
  }
  return latest;
}

Result<std::vector<SeriesSummary>> DirectorySeries::List(const RunKey& run) {
  FreshView view = fresh_->ViewRun(run);
  YARD_ASSIGN(ReaderPool::Lease lease, pool_.Take());
  BlockReader reader(lease.database());
  YARD_ASSIGN(std::int64_t flushed, reader.FlushedLog());
  FreshPart fresh = view.Over(flushed);
  std::vector<SeriesSummary> all = std::move(fresh.series);
  if (!fresh.hides_blocks) {
    YARD_ASSIGN(std::vector<StoredSeries> stored, reader.List(run));
    for (StoredSeries& series : stored) all.push_back(std::move(series.summary));
  }
  JoinSummaries(all);
  return all;
}

Status DirectorySeries::Each(const VisitSeries& visit) {
  {
    YARD_ASSIGN(ReaderPool::Lease lease, pool_.Take());
    YARD_TRY(BlockReader(lease.database()).Each(visit));
  }
  for (const RunKey& run : fresh_->Runs()) {
    YARD_ASSIGN(std::vector<SeriesSummary> all, List(run));
    for (const SeriesSummary& summary : all) visit(run, summary);
  }
  return {};
}

Status DirectorySeries::DeleteRun(const RunKey& run) {
  YARD_TRY(CheckRun(run));
  return AndWait([&](Done done) { committer_->Submit(RunDeletion{run}, std::move(done)); });
}

}  // namespace

Status SeriesStore::Append(SeriesBatch batch) {
  return AndWait([&](Done done) { AppendLater(std::move(batch), std::move(done)); });
}

Result<std::unique_ptr<SeriesStore>> OpenSeries(const std::string& directory,
                                                const SeriesOptions& options) {
  YARD_ASSIGN(DirectoryLock lock, DirectoryLock::Acquire(directory));
  std::string database = directory + "/series.db";
  auto store = std::make_unique<DirectorySeries>(std::move(lock), database);
  YARD_TRY(store->Start(directory, database, options));
  return store;
}

}  // namespace yard::store
