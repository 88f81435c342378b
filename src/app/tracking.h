// Opens the tracked runs of a data directory.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "control/track/tracking.h"

namespace yard::app {

// Below `data_dir`/track, which is made if needed.
Result<std::unique_ptr<control::Tracking>> OpenTracking(const std::string& data_dir);

}  // namespace yard::app
