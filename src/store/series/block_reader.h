// Reads series and their blocks out of the database.
//
// Thread rule: that of the database it borrows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/series.h"
#include "store/series/merge.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

// Of the series of one run.
struct StoredSeries {
  std::int64_t id = 0;
  SeriesSummary summary;
};

class BlockReader {
 public:
  explicit BlockReader(Database& database) : database_(database) {}

  // The last log file whose points are all in blocks.
  Result<std::int64_t> FlushedLog();
  Result<std::optional<StoredSeries>> Find(const SeriesKey& key);
  Result<std::vector<StoredSeries>> List(const RunKey& run);
  Status Each(const SeriesStore::VisitSeries& visit);
  // Those that hold steps between the two, sorted.
  Result<std::vector<StoredBlock>> Blocks(std::int64_t series, std::int64_t from_step,
                                          std::int64_t to_step);
  // False if the block is damaged.
  Result<bool> Unpack(const StoredBlock& block, std::vector<MetricPoint>& points);

 private:
  Database& database_;
  std::optional<Statement> body_;
};

}  // namespace yard::store
