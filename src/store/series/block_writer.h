// Writes blocks: the database `series.db` of a store.
//
// One flush is one transaction, together with the number of the log file it makes needless: a crash
// leaves either the log or the blocks to read, never both.
// Thread rule: any thread; calls wait for each other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/series/block_reader.h"
#include "store/series/damage_list.h"
#include "store/series/memtable.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

class BlockWriter {
 public:
  // Makes the database if needed. `damages` must outlive the writer.
  static Result<std::unique_ptr<BlockWriter>> Open(const std::string& path, DamageList& damages);

  Status Flush(const Memtable& memtable, std::int64_t log_number);
  Status Prune(const RunKey& run, Time before);
  Status Compact();
  Status Verify();

 private:
  BlockWriter(Database database, DamageList& damages)
      : damages_(damages), database_(std::move(database)), reader_(database_) {}

  Result<Statement*> Prepared(std::string_view sql) YARD_REQUIRES(mutex_);
  Status DeleteRun(const RunKey& run) YARD_REQUIRES(mutex_);
  Status FlushRun(const RunKey& key, const FreshRun& run) YARD_REQUIRES(mutex_);
  Result<std::int64_t> MakeRun(const RunKey& run) YARD_REQUIRES(mutex_);
  Result<std::int64_t> MakeSeries(std::int64_t run, std::string_view name,
                                  const MetricPoint& latest) YARD_REQUIRES(mutex_);
  Status FlushSeries(std::int64_t series, const SeriesKey& key, std::vector<MetricPoint> points)
      YARD_REQUIRES(mutex_);
  Result<std::vector<StoredBlock>> BlocksFrom(std::int64_t series, std::int64_t step)
      YARD_REQUIRES(mutex_);
  Status Apply(std::int64_t series, const SeriesKey& key, std::span<const Rewrite> plan)
      YARD_REQUIRES(mutex_);
  Status ApplyOne(std::int64_t series, const SeriesKey& key, const Rewrite& rewrite)
      YARD_REQUIRES(mutex_);
  Status Insert(std::int64_t series, std::span<const MetricPoint> points) YARD_REQUIRES(mutex_);
  Status Recount(std::int64_t series) YARD_REQUIRES(mutex_);
  Status CompactSeries(std::int64_t series, const SeriesKey& key);
  Result<std::vector<std::pair<std::int64_t, SeriesKey>>> AllSeries();

  Mutex mutex_;
  DamageList& damages_;
  Database database_ YARD_GUARDED_BY(mutex_);
  BlockReader reader_ YARD_GUARDED_BY(mutex_);                                      // of database_
  std::map<std::string, Statement, std::less<>> prepared_ YARD_GUARDED_BY(mutex_);  // of database_
};

}  // namespace yard::store
