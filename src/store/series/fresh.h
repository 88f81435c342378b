// What only the log holds: the memory that grows, and the memory on its way into blocks.
//
// Readers take a copy of what they need together with `sealed_log`, then look at the blocks: a
// snapshot of the blocks that has reached that log file (or a later one) has the points already.
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "store/series.h"
#include "store/series/memtable.h"

namespace yard::store {

// Of one memory, about one run or series.
struct FreshPart {
  bool hides_blocks = false;  // the run was deleted before these came
  std::vector<SeriesSummary> series;
  std::vector<MetricPoint> points;  // of one series, in the order of arrival
};

struct FreshView {
  FreshPart sealed;
  FreshPart growing;
  std::int64_t sealed_log = 0;

  // What readers of a snapshot that reached `flushed_log` must add to it, as one part.
  FreshPart Over(std::int64_t flushed_log) const;
};

class Fresh {
 public:
  // The blocks have everything up to this log file.
  explicit Fresh(std::int64_t flushed_log) : sealed_log_(flushed_log) {}

  void Apply(std::vector<SeriesRecord> records);

  std::size_t growing_points() const;
  bool empty() const;
  bool has_sealed() const;

  // Begins a new memory; the one so far ends with this log file. Needs no sealed one.
  void Seal(std::int64_t log_number);
  // Null if there is none.
  std::shared_ptr<const Memtable> sealed() const;
  std::int64_t sealed_log() const;
  void DropSealed();

  // The runs that have something here.
  std::vector<RunKey> Runs() const;
  FreshView ViewPoints(const SeriesKey& key) const;
  FreshView ViewRun(const RunKey& run) const;
  FreshView ViewSummary(const SeriesKey& key) const;

 private:
  mutable Mutex mutex_;
  std::shared_ptr<Memtable> growing_ YARD_GUARDED_BY(mutex_) = std::make_shared<Memtable>();
  std::shared_ptr<const Memtable> sealed_ YARD_GUARDED_BY(mutex_);
  std::int64_t sealed_log_ YARD_GUARDED_BY(mutex_);
};

}  // namespace yard::store
