// Metric histories, outside the journal: few large batches of points in, ranges and charts out.
//
// A history is a set of points (model/metric.h): a batch that is sent twice counts once. An append
// that succeeded is on disk and survives kill -9 and power loss; readers see it from then on. One
// that failed has stored nothing that readers see, and may be repeated.
// Names are bytes without meaning here: `../../x` is a metric like any other.
// Every block on disk carries a checksum. A damaged one is named in the answer and in Damages();
// the rest of the history stays readable.
// Thread rule: every call from any thread. AppendLater's callback comes on the store's own thread
// and must be short.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/metric.h"

namespace yard::store {

struct SeriesKey {
  RunKey run;
  std::string name;
  auto operator<=>(const SeriesKey&) const = default;
};

struct SeriesPoints {
  std::string name;
  std::vector<MetricPoint> points;
};

// Atomic: either all of its points are stored or none.
struct SeriesBatch {
  RunKey run;
  std::vector<SeriesPoints> series;
};

// Limits of a batch. More is refused with kTooLarge, an empty name with kInvalid.
constexpr std::size_t kMaxSeriesNameBytes = 1024;
constexpr std::size_t kMaxRunKeyBytes = 256;
constexpr std::size_t kMaxBatchPoints = 1'000'000;

// A part of a history that is on disk and cannot be read.
struct DamagedBlock {
  std::string where;  // file and block, for people
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
};

enum class PerStep {
  kAll,
  kLast,  // of several points of one step the greatest, as the newest attempt wrote it
};

struct RangeQuery {
  std::int64_t from_step = INT64_MIN;
  std::int64_t to_step = INT64_MAX;  // inside
  PerStep per_step = PerStep::kAll;
  // Only points greater than this: the last one of the page before.
  std::optional<MetricPoint> after = std::nullopt;
  std::size_t limit = SIZE_MAX;
};

struct SeriesRange {
  std::vector<MetricPoint> points;  // in order
  std::vector<DamagedBlock> damaged;
};

// No window: from the first point to the last.
struct ChartQuery {
  std::uint32_t pixels = 320;
  ChartAxis axis = ChartAxis::kStep;
  std::optional<std::int64_t> from = std::nullopt;
  std::optional<std::int64_t> to = std::nullopt;
};

struct SeriesChart {
  ChartWindow window;
  std::vector<ChartPixel> pixels;  // in order; pixels without points are left out
  std::vector<DamagedBlock> damaged;
};

struct SeriesSummary {
  std::string name;
  // A point that was written twice may count twice until it has left the log.
  std::uint64_t points = 0;
  MetricPoint latest;
};

class SeriesStore {
 public:
  using Done = std::function<void(Status)>;

  virtual ~SeriesStore() = default;

  // Calls `done` once the batch is durable or refused. Batches that wait share one sync of the
  // disk. A full disk is kUnavailable, too many batches that wait kTooMany; both may be repeated.
  virtual void AppendLater(SeriesBatch batch, Done done) = 0;
  // The same, waiting.
  Status Append(SeriesBatch batch);

  // Unknown runs and names have empty histories.
  virtual Result<SeriesRange> Read(const SeriesKey& key, const RangeQuery& query) = 0;
  virtual Result<SeriesChart> Draw(const SeriesKey& key, const ChartQuery& query) = 0;
  virtual Result<std::optional<MetricPoint>> Latest(const SeriesKey& key) = 0;
  // Every metric of a run, by name.
  virtual Result<std::vector<SeriesSummary>> List(const RunKey& run) = 0;
  // Every metric of every run. One that is in the log and in blocks comes twice.
  using VisitSeries = std::function<void(const RunKey& run, const SeriesSummary& summary)>;
  virtual Status Each(const VisitSeries& visit) = 0;

  // Durable when it returns. What is appended afterwards begins new histories.
  virtual Status DeleteRun(const RunKey& run) = 0;
  // Forgets points older than `before`, a block at a time: a block goes when all of it is older.
  virtual Status Prune(const RunKey& run, Time before) = 0;
  // Moves what only the log holds into blocks.
  virtual Status Flush() = 0;
  // Joins small blocks and gives free space back to the disk.
  virtual Status Compact() = 0;
  // All points in one file, while serving. Put in place as series.db it is a store again.
  virtual Status Backup(const std::string& path) = 0;
  // Reads every block and adds the damaged ones to Damages().
  virtual Status Verify() = 0;
  // What was found damaged since the store was opened, for the operator.
  virtual std::vector<std::string> Damages() const = 0;
};

}  // namespace yard::store
