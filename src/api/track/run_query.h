// The list parameters of runs as a search: filterBy, search, sortBy, sortOrder, offset, limit.
//
// Fields are those of a run, and `metrics.NAME`, `params.NAME`, `tags.NAME` for whatever programs
// have logged. Pure.
#pragma once

#include "base/result.h"
#include "control/track/search.h"
#include "serve/list.h"

namespace yard::api {

// Everything but the experiments.
Result<control::RunSearch> ReadRunSearch(const serve::QueryPairs& query);

}  // namespace yard::api
