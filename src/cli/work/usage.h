// What work held and used, as the server counted it, in words for people. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/table.h"

namespace yard::cli {

// Thousandths of a GPU times microseconds as hours: "12.50". Cut, not rounded.
std::string GpuHours(std::int64_t gpu_time);

// The rows of a report, then its total.
std::vector<json::value> RowsOf(const json::value& report);
// One line for each row of a report and one for the total; `title` heads the names.
Table ReportTable(const std::string& title, const json::value& report);

}  // namespace yard::cli
