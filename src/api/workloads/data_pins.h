// Which versions of data sets a submission means: the tags that it names, as they stand now, so
// that every attempt and every task of the work sees the same. I/O threads; does not block.
#pragma once

#include <optional>

#include "api/handler.h"
#include "base/json.h"
#include "model/ids.h"

namespace yard::api {

// The spec with the version of each data set, or nothing if it names none. kNotFound for one that
// is not there; kForbidden if the caller may not read data sets of the project.
Result<std::optional<json::object>> WithDataVersions(Call& call, ProjectId project,
                                                     const json::object* spec);

}  // namespace yard::api
