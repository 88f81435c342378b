#include "app/tracking.h"

#include <utility>

#include "base/random.h"
#include "base/time.h"
#include "store/records/record_store.h"
#include "store/series/series_store.h"

namespace yard::app {

Result<std::unique_ptr<control::Tracking>> OpenTracking(const std::string& data_dir) {
  std::string folder = data_dir + "/track";
  YARD_ASSIGN(auto records, store::OpenRecords(folder));
  YARD_ASSIGN(auto series, store::OpenSeries(folder + "/series"));
  return control::Tracking::Open({.records = std::move(records),
                                  .series = std::move(series),
                                  .clock = SystemClock(),
                                  .random = SystemRandom(),
                                  .artifacts = folder + "/artifacts"});
}

}  // namespace yard::app
