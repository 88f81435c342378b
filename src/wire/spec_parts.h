// The larger parts of a spec; internal to wire/spec.h.
#pragma once

#include <string_view>

#include "base/json.h"
#include "model/spec/spec.h"

namespace yard::wire {

// Each is empty where the spec asks for nothing of it.
// `home`: an empty folder that the container has besides; empty: none.
Shared<StorageSpec> ReadStorage(const json::object& storage, std::string_view home);
Shared<SecuritySpec> ReadSecurity(const json::object& security);
Shared<PlacementSpec> ReadPlacement(const json::object& spec);
Shared<ReachSpec> ReadReach(const json::object& spec);

}  // namespace yard::wire
