// Everything about one workload, as text. Pure: the present is an argument.
#pragma once

#include <string>

#include "base/json.h"
#include "base/time.h"
#include "cli/table.h"

namespace yard::cli {

// `workload` as it is listed; `spec` as it was submitted, or null if nobody knows; `attempts`,
// newest first, and `events` are the API's lists.
struct Story {
  const json::value* workload;
  const json::value* spec;
  const json::array* attempts;
  const json::array* events;
};
std::string RenderStory(const Story& story, std::size_t width, Time now);

// "2h, 1h58m left"; empty without a limit.
std::string RenderTimeLimit(const Story& story, Time now);

Table AttemptTable(const json::array& attempts, Time now);
Table SavedTable(const json::array& saved);
Table EventTable(const json::array& events, Time now);

// "16 GiB" of the API's "16384Mi"; empty for nothing.
std::string RenderMemory(const std::string& quantity);

}  // namespace yard::cli
