// The identity provider that the settings name.
#pragma once

#include <memory>
#include <string>

#include "app/settings.h"
#include "base/result.h"
#include "oidc/provider.h"

namespace yard::app {

// Null if the settings name none. `url`: where this server is reached, unless public-url says so.
Result<std::unique_ptr<oidc::Provider>> ProviderOf(const Settings& settings,
                                                   const std::string& url);

}  // namespace yard::app
