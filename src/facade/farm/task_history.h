// What became of a task, step by step, as Farm tells it. Blocks: it reads the journal.
#pragma once

#include <boost/json/array.hpp>

#include "base/json.h"
#include "base/result.h"
#include "model/workload.h"
#include "serve/call.h"

namespace yard::facade::farm {

Result<json::array> HistoryOf(serve::Call& call, const Workload& workload);

}  // namespace yard::facade::farm
