// How the settings say messages leave the server.
#pragma once

#include <string>

#include "app/settings.h"
#include "base/result.h"
#include "notify/curl_courier.h"

namespace yard::app {

// `url`: where people reach this server, unless the settings say so; empty: not known yet.
Result<notify::CourierOptions> CourierOptionsOf(const Settings& settings, std::string url);

}  // namespace yard::app
