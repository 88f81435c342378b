// What a valid asset of each kind looks like beyond its schema, and which of its fields are
// secret.
//
// Pure functions; any thread.
#pragma once

#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "model/asset.h"

namespace yard::wire {

enum class SpecUse { kCreate, kUpdate };  // an update may leave a credential's secret out

// Everything that is wrong with a spec; fields are dotted paths that begin with "spec.".
std::vector<FieldIssue> CheckSpec(AssetKind kind, const json::object& spec, SpecUse use);
// The same as a Status: kInvalid with all of it.
Status RequireValid(AssetKind kind, const json::object& spec, SpecUse use);

// Moves the secret fields of a spec into an object of their own; empty: there were none.
json::object TakeSecrets(AssetKind kind, json::object& spec);

}  // namespace yard::wire
