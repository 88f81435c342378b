// Points that only the log holds so far, by run and name, in the order of their arrival.
//
// A deletion of a run empties it here and hides what the blocks hold of it: `deleted`. What comes
// after the deletion is kept. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "store/series.h"
#include "store/series/record.h"

namespace yard::store {

struct FreshSeries {
  std::vector<MetricPoint> points;
  MetricPoint latest;
};

struct FreshRun {
  bool deleted = false;  // before these points came
  std::map<std::string, FreshSeries, std::less<>> series;
};

class Memtable {
 public:
  void Apply(SeriesRecord record);

  bool empty() const { return runs_.empty(); }
  std::size_t points() const { return points_; }
  const std::map<RunKey, FreshRun>& runs() const { return runs_; }

  // Null if there is none.
  const FreshRun* FindRun(const RunKey& run) const;
  const FreshSeries* Find(const SeriesKey& key) const;

 private:
  void Add(SeriesBatch batch);
  void Delete(const RunKey& run);

  std::map<RunKey, FreshRun> runs_;
  std::size_t points_ = 0;
};

// In order, none twice.
void SortPoints(std::vector<MetricPoint>& points);

}  // namespace yard::store
