// Which assets refer to which.
#pragma once

#include <vector>

#include "base/result.h"
#include "control/state/state.h"
#include "model/asset.h"

namespace yard::control {

// Every link of its spec leads to an asset of the right kind at the scope or above it.
Status CheckLinks(const State& state, const Asset& asset, const ScopePath& from);

// The assets whose specs name this one, and whether a policy imposes it.
struct AssetUsers {
  std::vector<Ptr<Asset>> assets;
  std::vector<Ptr<Policy>> policies;
};
AssetUsers UsersOf(const State& state, AssetId id);

}  // namespace yard::control
