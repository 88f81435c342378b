#include "store/series/block_writer.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "store/sqlite/migrations.h"

namespace yard::store {
namespace {

constexpr std::int64_t kApplicationId = 0x67795372;  // "gySr"

// `head` comes before `body`, so that SQLite reads it without the pages of the body. `latest` is
// the greatest time in the block.
constexpr const char* kTables = R"sql(
CREATE TABLE state(flushed_log INTEGER NOT NULL);
INSERT INTO state VALUES(0);
CREATE TABLE run(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE);
CREATE TABLE series(
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL, name BLOB NOT NULL, points INTEGER NOT NULL,
  last_step INTEGER NOT NULL, last_time INTEGER NOT NULL, last_value INTEGER NOT NULL);
CREATE UNIQUE INDEX series_of_run ON series(run, name);
CREATE TABLE block(
  id INTEGER PRIMARY KEY, series INTEGER NOT NULL, first_step INTEGER NOT NULL,
  last_step INTEGER NOT NULL, latest INTEGER NOT NULL, points INTEGER NOT NULL,
  head BLOB NOT NULL, body BLOB NOT NULL);
CREATE INDEX block_of_series ON block(series, first_step, last_step);
)sql";

constexpr std::array kSteps{kTables};
constexpr Schema kSchema{.file = "series.db", .application_id = kApplicationId, .steps = kSteps};

}  // namespace

Result<std::unique_ptr<BlockWriter>> BlockWriter::Open(const std::string& path,
                                                       DamageList& damages) {
  YARD_ASSIGN(Database database, Database::Open(path, OpenMode::kCreate));
  YARD_TRY(database.Execute(
      "PRAGMA page_size=2048; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;"
      "PRAGMA synchronous=FULL; PRAGMA journal_size_limit=8388608"));
  YARD_TRY(Migrate(database, kSchema));
  return std::unique_ptr<BlockWriter>(new BlockWriter(std::move(database), damages));
}

Result<Statement*> BlockWriter::Prepared(std::string_view sql) {
  auto found = prepared_.find(sql);
  if (found == prepared_.end()) {
    YARD_ASSIGN(Statement statement, database_.Prepare(sql));
    found = prepared_.emplace(sql, std::move(statement)).first;
  }
  return &found->second;
}

Status BlockWriter::Flush(const Memtable& memtable, std::int64_t log_number) {
  MutexLock guard(mutex_);
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(database_, Transaction::Kind::kWrite));
  for (const auto& [key, run] : memtable.runs()) {
    if (run.deleted) YARD_TRY(DeleteRun(key));
    YARD_TRY(FlushRun(key, run));
  }
  YARD_ASSIGN(Statement * state, Prepared("UPDATE state SET flushed_log=?"));
  YARD_TRY(state->Bind(log_number).Run());
  return transaction.Commit();
}

Status BlockWriter::DeleteRun(const RunKey& run) {
  for (const char* sql : {"DELETE FROM block WHERE series IN (SELECT s.id FROM run r JOIN series s "
                          "ON s.run=r.id WHERE r.key=?)",
                          "DELETE FROM series WHERE run IN (SELECT id FROM run WHERE key=?)",
                          "DELETE FROM run WHERE key=?"}) {
    YARD_ASSIGN(Statement * statement, Prepared(sql));
    YARD_TRY(statement->BindBlob(run.text).Run());
  }
  return {};
}

Status BlockWriter::FlushRun(const RunKey& key, const FreshRun& run) {
  if (run.series.empty()) return {};
  YARD_ASSIGN(std::int64_t run_id, MakeRun(key));
  for (const auto& [name, fresh] : run.series) {
    YARD_ASSIGN(std::int64_t series, MakeSeries(run_id, name, fresh.latest));
    YARD_TRY(FlushSeries(series, {key, name}, fresh.points));
  }
  return {};
}

Result<std::int64_t> BlockWriter::MakeRun(const RunKey& run) {
  YARD_ASSIGN(Statement * insert, Prepared("INSERT OR IGNORE INTO run(key) VALUES(?)"));
  YARD_TRY(insert->BindBlob(run.text).Run());
  YARD_ASSIGN(Statement * find, Prepared("SELECT id FROM run WHERE key=?"));
  YARD_ASSIGN(bool found, find->BindBlob(run.text).Step());
  std::int64_t id = found ? find->Int(0) : 0;
  find->Reset();
  return id;
}

Result<std::int64_t> BlockWriter::MakeSeries(std::int64_t run, std::string_view name,
                                             const MetricPoint& latest) {
  YARD_ASSIGN(Statement * put,
              Prepared("INSERT INTO series(run, name, points, last_step, last_time, last_value) "
                       "VALUES(?, ?, 0, ?, ?, ?) ON CONFLICT(run, name) DO UPDATE SET "
                       "last_step=excluded.last_step, last_time=excluded.last_time, "
                       "last_value=excluded.last_value WHERE (excluded.last_step, "
                       "excluded.last_time, excluded.last_value) > (last_step, last_time, "
                       "last_value)"));
  YARD_TRY(put->Bind(run)
               .BindBlob(name)
               .Bind(latest.step)
               .Bind(latest.time.micros)
               .Bind(OrderedBits(latest.value))
               .Run());
  YARD_ASSIGN(Statement * find, Prepared("SELECT id FROM series WHERE run=? AND name=?"));
  YARD_ASSIGN(bool found, find->Bind(run).BindBlob(name).Step());
  std::int64_t id = found ? find->Int(0) : 0;
  find->Reset();
  return id;
}

Result<std::vector<StoredBlock>> BlockWriter::BlocksFrom(std::int64_t series, std::int64_t step) {
  // Sizes at the end of a series at least double from block to block, so that few are small.
  YARD_ASSIGN(Statement * end, Prepared("SELECT first_step FROM block WHERE series=? "
                                        "ORDER BY first_step DESC LIMIT 1 OFFSET 12"));
  YARD_ASSIGN(bool many, end->Bind(series).Step());
  std::int64_t from = many ? std::min(step, end->Int(0)) : INT64_MIN;
  end->Reset();
  return reader_.Blocks(series, from, INT64_MAX);
}

Status BlockWriter::FlushSeries(std::int64_t series, const SeriesKey& key,
                                std::vector<MetricPoint> points) {
  SortPoints(points);
  YARD_ASSIGN(std::vector<StoredBlock> blocks, BlocksFrom(series, points.front().step));
  return Apply(series, key, PlanMerge(blocks, points));
}

Status BlockWriter::Apply(std::int64_t series, const SeriesKey& key,
                          std::span<const Rewrite> plan) {
  for (const Rewrite& rewrite : plan) YARD_TRY(ApplyOne(series, key, rewrite));
  return {};
}

Status BlockWriter::ApplyOne(std::int64_t series, const SeriesKey& key, const Rewrite& rewrite) {
  std::vector<MetricPoint> merged = rewrite.fresh;
  std::vector<MetricPoint> stored;
  std::int64_t replaced = 0;
  for (const StoredBlock& block : rewrite.blocks) {
    YARD_ASSIGN(bool whole, reader_.Unpack(block, stored));
    if (!whole) {  // kept as it is, for whoever can mend it
      damages_.Add(key, block);
      continue;
    }
    std::vector<MetricPoint> joined;
    joined.reserve(merged.size() + stored.size());
    std::ranges::set_union(stored, merged, std::back_inserter(joined));
    merged = std::move(joined);
    replaced += static_cast<std::int64_t>(stored.size());
    YARD_ASSIGN(Statement * remove, Prepared("DELETE FROM block WHERE id=?"));
    YARD_TRY(remove->Bind(block.id).Run());
  }
  YARD_TRY(Insert(series, merged));
  YARD_ASSIGN(Statement * count, Prepared("UPDATE series SET points=points+? WHERE id=?"));
  return count->Bind(static_cast<std::int64_t>(merged.size()) - replaced).Bind(series).Run();
}

Status BlockWriter::Insert(std::int64_t series, std::span<const MetricPoint> points) {
  YARD_ASSIGN(Statement * insert,
              Prepared("INSERT INTO block(series, first_step, last_step, latest, points, head, "
                       "body) VALUES(?, ?, ?, ?, ?, ?, ?)"));
  for (std::size_t size : SplitSizes(points.size())) {
    std::span<const MetricPoint> part = points.first(size);
    points = points.subspan(size);
    PackedBlock packed = PackBlock(part);
    Time latest = std::ranges::max(part, {}, &MetricPoint::time).time;
    YARD_TRY(insert->Bind(series)
                 .Bind(part.front().step)
                 .Bind(part.back().step)
                 .Bind(latest.micros)
                 .Bind(static_cast<std::int64_t>(size))
                 .BindBlob(packed.head)
                 .BindBlob(packed.body)
                 .Run());
  }
  return {};
}

Status BlockWriter::Prune(const RunKey& run, Time before) {
  MutexLock guard(mutex_);
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(database_, Transaction::Kind::kWrite));
  YARD_ASSIGN(std::vector<StoredSeries> all, reader_.List(run));
  for (const StoredSeries& series : all) {
    YARD_ASSIGN(Statement * remove, Prepared("DELETE FROM block WHERE series=? AND latest<?"));
    YARD_TRY(remove->Bind(series.id).Bind(before.micros).Run());
    if (database_.changed_rows() > 0) YARD_TRY(Recount(series.id));
  }
  return transaction.Commit();
}

Status BlockWriter::Recount(std::int64_t series) {
  YARD_ASSIGN(Statement * count,
              Prepared("UPDATE series SET points=(SELECT coalesce(sum(b.points), 0) FROM block b "
                       "WHERE b.series=series.id) WHERE id=?"));
  YARD_TRY(count->Bind(series).Run());
  YARD_ASSIGN(Statement * remove, Prepared("DELETE FROM series WHERE id=? AND points=0"));
  return remove->Bind(series).Run();
}

Result<std::vector<std::pair<std::int64_t, SeriesKey>>> BlockWriter::AllSeries() {
  MutexLock guard(mutex_);
  YARD_ASSIGN(Statement query, database_.Prepare("SELECT s.id, r.key, s.name FROM series s JOIN "
                                                 "run r ON r.id=s.run"));
  std::vector<std::pair<std::int64_t, SeriesKey>> all;
  while (true) {
    YARD_ASSIGN(bool row, query.Step());
    if (!row) return all;
    all.emplace_back(query.Int(0),
                     SeriesKey{RunKey{std::string(query.Text(1))}, std::string(query.Text(2))});
  }
}

Status BlockWriter::CompactSeries(std::int64_t series, const SeriesKey& key) {
  MutexLock guard(mutex_);
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(database_, Transaction::Kind::kWrite));
  YARD_ASSIGN(std::vector<StoredBlock> blocks, reader_.Blocks(series, INT64_MIN, INT64_MAX));
  YARD_TRY(Apply(series, key, PlanCompaction(blocks)));
  return transaction.Commit();
}

Status BlockWriter::Compact() {
  // Only series with neighbours that fit into one block are worth a transaction.
  YARD_ASSIGN(auto all, AllSeries());
  for (const auto& [series, key] : all) {
    std::vector<StoredBlock> blocks;
    {
      MutexLock guard(mutex_);
      YARD_ASSIGN(blocks, reader_.Blocks(series, INT64_MIN, INT64_MAX));
    }
    if (!PlanCompaction(blocks).empty()) YARD_TRY(CompactSeries(series, key));
  }
  MutexLock guard(mutex_);
  YARD_TRY(database_.Execute("PRAGMA incremental_vacuum"));
  return database_.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

Status BlockWriter::Verify() {
  YARD_ASSIGN(auto all, AllSeries());
  std::vector<MetricPoint> points;
  for (const auto& [series, key] : all) {
    MutexLock guard(mutex_);
    YARD_ASSIGN(std::vector<StoredBlock> blocks, reader_.Blocks(series, INT64_MIN, INT64_MAX));
    for (const StoredBlock& block : blocks) {
      YARD_ASSIGN(bool whole, reader_.Unpack(block, points));
      if (!whole) damages_.Add(key, block);
    }
  }
  return {};
}

}  // namespace yard::store
