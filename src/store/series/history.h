// One history out of its blocks and the points that only the log holds: ranges and charts.
//
// Reading is a walk over blocks in order, with the fresh points merged in. A chart takes the head
// of a block instead of its points where one pixel covers it.
// Thread rule: that of the reader it borrows.
#pragma once

#include <vector>

#include "base/result.h"
#include "store/series.h"
#include "store/series/block_reader.h"
#include "store/series/damage_list.h"

namespace yard::store {

// Where to read; `fresh` is sorted, none twice.
struct HistorySource {
  BlockReader& reader;
  DamageList& damages;
  SeriesKey key;
  std::optional<std::int64_t> series;  // none: no blocks
  std::vector<MetricPoint> fresh;
};

Result<SeriesRange> ReadHistory(HistorySource source, const RangeQuery& query);
Result<SeriesChart> DrawHistory(HistorySource source, const ChartQuery& query);

}  // namespace yard::store
