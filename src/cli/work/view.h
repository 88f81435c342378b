// Workloads as people see them. Pure: the present is an argument.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/time.h"
#include "cli/table.h"

namespace yard::cli {

// "5m", "2h30m", "3d" since that time; "-" if it is absent.
std::string AgeOf(const json::value& object, std::string_view path, Time now);
// "2", "0.5", "20Gi"; "-" for none.
std::string GpusOf(const json::value& workload);
// The machine-readable reason of its phase; "-" if there is none.
std::string ReasonOf(const json::value& workload);
// "node-1", "node-1 +3"; "-" when nothing runs.
std::string NodesOf(const json::value& workload);

enum class Columns { kUsual, kAll };

// One row per workload, and one per array: "sweep[10]", "3 Running, 7 Pending".
Table PsTable(std::span<const json::value> workloads, Columns columns, Time now);

// Everything about one, as text. `attempts` and `events` are the API's lists.
struct Story {
  const json::value* workload;
  const json::array* attempts;
  const json::array* events;
};
std::string RenderStory(const Story& story, std::size_t width, Time now);

Table AttemptTable(const json::array& attempts, Time now);
Table EventTable(const json::array& events, Time now);

// Why it waits or what would happen, as text.
std::string RenderWhy(const json::value& why, Time now);
// "in 5m to 20m", "from now on"; empty if nobody knows.
std::string RenderStart(const json::value& why, Time now);

}  // namespace yard::cli
