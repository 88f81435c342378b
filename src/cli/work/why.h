// Why work waits, and what would happen to a submission, as text. Pure.
#pragma once

#include <string>

#include "base/json.h"
#include "base/time.h"

namespace yard::cli {

// `why` is the API's answer.
std::string RenderWhy(const json::value& why, Time now);
// The same about a submission that is not made.
std::string RenderDryRun(const json::value& why, Time now);
// Two lines that warn of work that can never run; empty if it can.
std::string RenderNever(const json::value& why, const std::string& name);

// "in 5m to 20m", "in 5m or later", "now"; empty if nobody knows.
std::string RenderStart(const json::value& why, Time now);

}  // namespace yard::cli
