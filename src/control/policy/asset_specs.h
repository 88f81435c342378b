// The specs of assets as people send and change them.
//
// Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "model/asset.h"

namespace yard::control {

enum class SpecEdit { kReplace, kOverlay };  // kOverlay keeps the fields that were not sent

// The spec of an asset after a change. Credentials in URLs that the client read masked stay;
// kInvalid if the new spec is not valid for its kind.
Result<Document> EditAssetSpec(const Asset& current, const Document& sent, SpecEdit edit);

// A mask in a new asset has nothing behind it.
Status RefuseMaskedSpec(const Asset& asset);

}  // namespace yard::control
