// GPUs as people see them. Pure.
#pragma once

#include <span>

#include "base/json.h"
#include "cli/table.h"
#include "cli/work/view.h"

namespace yard::cli {

// Whether new work may have all of it.
bool IsFree(const json::value& gpu);

// One row per GPU; with all columns also how it is and how near the others of its node are. What
// a GPU does not tell is a dash.
Table GpuTable(std::span<const json::value> gpus, Columns columns);

}  // namespace yard::cli
