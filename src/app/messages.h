// How the settings say messages leave the server.
#pragma once

#include <string>

#include "app/settings.h"
#include "base/result.h"
#include "control/live.h"
#include "notify/curl_courier.h"

namespace yard::app {

// `url`: where people reach this server, unless the settings say so; empty: not known yet.
Result<notify::CourierOptions> CourierOptionsOf(const Settings& settings, std::string url);

// The end of a workload's log, as a mail shows it; empty if it cannot be read. Blocks.
std::string LastLines(control::Live& live, WorkloadId workload, Time now);

}  // namespace yard::app
