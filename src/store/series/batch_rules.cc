#include "store/series/batch_rules.h"

#include <fmt/format.h>

namespace yard::store {

Status CheckRun(const RunKey& run) {
  if (run.text.empty()) return Fail(Code::kInvalid, "the run of a batch has no name");
  if (run.text.size() <= kMaxRunKeyBytes) return {};
  return Fail(Code::kTooLarge, fmt::format("the name of a run has {} bytes, more than {}",
                                           run.text.size(), kMaxRunKeyBytes));
}

Status CheckBatch(const SeriesBatch& batch) {
  YARD_TRY(CheckRun(batch.run));
  std::size_t points = 0;
  for (const SeriesPoints& series : batch.series) {
    if (series.name.empty()) return Fail(Code::kInvalid, "a metric of the batch has no name");
    if (series.name.size() > kMaxSeriesNameBytes) {
      return Fail(Code::kTooLarge, fmt::format("the name of a metric has {} bytes, more than {}",
                                               series.name.size(), kMaxSeriesNameBytes));
    }
    points += series.points.size();
  }
  if (points <= kMaxBatchPoints) return {};
  return Fail(Code::kTooLarge,
              fmt::format("the batch has {} points, more than {}", points, kMaxBatchPoints),
              "send several smaller batches");
}

}  // namespace yard::store
