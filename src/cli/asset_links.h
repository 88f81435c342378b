// Assets that name other assets: people write names, the API wants ids.
#pragma once

#include "base/json.h"
#include "cli/resolver.h"
#include "client/client.h"

namespace yard::cli {

// Turns the names in an asset's spec into ids: the environment, compute resource and data sources
// of a template, the credential of a data source. An id stays what it is.
client::Outcome<void> ResolveAssetLinks(Resolver& resolver, json::object& spec);

}  // namespace yard::cli
