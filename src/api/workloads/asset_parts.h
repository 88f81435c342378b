// Work that is made from assets: what `spec.assets` names, filled in where the spec itself says
// nothing. The names stay in the spec, for people. I/O threads; does not block.
#pragma once

#include <optional>

#include "api/handler.h"
#include "base/json.h"
#include "model/ids.h"

namespace yard::api {

// The spec with everything its assets say, or nothing if it names none, or if they stand in it
// already (`applied`). kNotFound for an asset that the caller does not see, or whose scope does
// not hold the project.
Result<std::optional<json::object>> WithAssets(Call& call, ProjectId project,
                                               const json::object* spec);

}  // namespace yard::api
