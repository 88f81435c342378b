// The larger parts of a spec; internal to wire/spec.h.
#pragma once

#include "base/json.h"
#include "model/spec/spec.h"

namespace yard::wire {

// Each is empty where the spec asks for nothing of it.
Shared<StorageSpec> ReadStorage(const json::object& storage);
Shared<SecuritySpec> ReadSecurity(const json::object& security);
Shared<PlacementSpec> ReadPlacement(const json::object& spec);
Shared<ReachSpec> ReadReach(const json::object& spec);

}  // namespace yard::wire
