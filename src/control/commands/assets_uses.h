// Which assets refer to which.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "control/state/state.h"
#include "model/asset.h"

namespace yard::control {

// A place in a spec that names another asset.
struct AssetLink {
  std::string field;             // dotted path, for example "spec.assets.environment"
  std::string id;                // as it was sent
  std::vector<AssetKind> kinds;  // what may stand there
};
std::vector<AssetLink> LinksIn(AssetKind kind, const json::object& spec);

// Every link leads to an asset of the right kind at the scope or above it.
Status CheckLinks(const State& state, const std::vector<AssetLink>& links, const ScopePath& from);

// The assets whose specs name this one, and whether a policy imposes it.
struct AssetUsers {
  std::vector<Ptr<Asset>> assets;
  std::vector<Ptr<Policy>> policies;
};
AssetUsers UsersOf(const State& state, AssetId id);

}  // namespace yard::control
