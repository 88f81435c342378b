#include "app/tracking.h"

#include <string_view>
#include <utility>

#include "base/random.h"
#include "base/time.h"
#include "store/datasets/dataset_store.h"
#include "store/records/record_store.h"
#include "store/series/series_store.h"

namespace yard::app {
namespace {

std::uint64_t BytesOf(const Settings& settings, std::string_view mebibytes) {
  return static_cast<std::uint64_t>(settings.Whole(mebibytes)) << 20;
}

}  // namespace

ArtifactLimits ArtifactLimitsOf(const Settings& settings) {
  ArtifactLimits limits{.of_a_project = BytesOf(settings, "artifacts-mib"),
                        .of_a_file = BytesOf(settings, "max-artifact-mib")};
  if (limits.of_a_project == 0) limits.of_a_project.reset();
  return limits;
}

Result<std::unique_ptr<control::Tracking>> OpenTracking(const std::string& data_dir,
                                                        const ArtifactLimits& limits) {
  std::string folder = data_dir + "/track";
  YARD_ASSIGN(auto records, store::OpenRecords(folder));
  YARD_ASSIGN(auto series, store::OpenSeries(folder + "/series"));
  return control::Tracking::Open({.records = std::move(records),
                                  .series = std::move(series),
                                  .clock = SystemClock(),
                                  .random = SystemRandom(),
                                  .artifacts = folder + "/artifacts",
                                  .most_artifact_bytes = limits.of_a_project,
                                  .most_file_bytes = limits.of_a_file});
}

Result<std::unique_ptr<control::DataSets>> OpenDataSets(const std::string& data_dir) {
  return control::DataSets::Open(
      {.folder = data_dir + "/data", .clock = SystemClock(), .open = [](const std::string& folder) {
         return store::OpenDataSets(folder);
       }});
}

Result<std::unique_ptr<control::Studies>> OpenStudies(const std::string& data_dir,
                                                      control::Service& service,
                                                      control::Live* live,
                                                      control::Tracking* tracking) {
  YARD_ASSIGN(auto records, store::OpenRecords(data_dir + "/study"));
  return control::Studies::Open(
      {.records = std::move(records), .service = service, .live = live, .tracking = tracking});
}

}  // namespace yard::app
