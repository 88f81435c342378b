// Opens the tracked runs, the data sets and the studies of a data directory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/settings.h"
#include "base/result.h"
#include "control/data/datasets.h"
#include "control/study/studies.h"
#include "control/track/tracking.h"

namespace yard::app {

// What files of runs may take.
struct ArtifactLimits {
  std::optional<std::uint64_t> of_a_project;  // nothing: as much as the disk has
  std::uint64_t of_a_file = 0;
};
ArtifactLimits ArtifactLimitsOf(const Settings& settings);

// Below `data_dir`/track, which is made if needed.
Result<std::unique_ptr<control::Tracking>> OpenTracking(const std::string& data_dir,
                                                        const ArtifactLimits& limits);

// Below `data_dir`/data.
Result<std::unique_ptr<control::DataSets>> OpenDataSets(const std::string& data_dir);

// Below `data_dir`/study. The service, `live` and `tracking` must outlive them.
Result<std::unique_ptr<control::Studies>> OpenStudies(const std::string& data_dir,
                                                      control::Service& service,
                                                      control::Live* live,
                                                      control::Tracking* tracking);

}  // namespace yard::app
