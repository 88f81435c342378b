// Changes of one run, shared by the routes that log to it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "facade/mlflow/ask.h"

namespace yard::facade::mlflow {

// The field `run_id`, or `run_uuid` of old clients.
std::string RunIdOf(Fields& fields);
// A deleted run takes nothing.
Status CheckActive(const TrackedRun& run);
// The same value once more changes nothing; another one is refused.
Status AddParam(TrackedRun& run, const std::string& key, const std::string& value);

// Runs on the thread that writes.
using RunEdit = std::move_only_function<Status(TrackedRun& run)>;
Result<serve::Answer> ChangeRun(Ask& ask, std::string_view id, RunEdit edit);

}  // namespace yard::facade::mlflow
