// The places in an asset's spec that name other assets.
#pragma once

#include <string>
#include <vector>

#include "model/asset.h"

namespace yard::wire {

struct AssetLink {
  std::string field;             // dotted path, for example "spec.assets.environment"
  std::string id;                // as it was sent
  std::vector<AssetKind> kinds;  // the kinds that may stand there
};
std::vector<AssetLink> LinksIn(const Asset& asset);

// Somewhere in the policy stands the id of the asset.
bool Names(const Policy& policy, AssetId asset);

}  // namespace yard::wire
