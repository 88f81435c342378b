// Opens the tracked runs, the data sets and the studies of a data directory.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "control/data/datasets.h"
#include "control/study/studies.h"
#include "control/track/tracking.h"

namespace yard::app {

// Below `data_dir`/track, which is made if needed.
Result<std::unique_ptr<control::Tracking>> OpenTracking(const std::string& data_dir);

// Below `data_dir`/data.
Result<std::unique_ptr<control::DataSets>> OpenDataSets(const std::string& data_dir);

// Below `data_dir`/study. The service and `live` must outlive them.
Result<std::unique_ptr<control::Studies>> OpenStudies(const std::string& data_dir,
                                                      control::Service& service,
                                                      control::Live* live);

}  // namespace yard::app
