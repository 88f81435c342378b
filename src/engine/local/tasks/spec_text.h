// A task's spec as text: lines `key=value`, each ended by a NUL byte, so that a restarted server
// knows what it runs. See shim/format.h for the file they are kept in.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/task.h"

namespace yard::engine {

void AppendSpecLine(std::string& out, std::string_view key, std::string_view value);

std::string EncodeSpec(const TaskSpec& spec);

// Skips lines it does not know (the shim's). kNotFound if the text is not whole.
Result<TaskSpec> DecodeSpec(std::string_view text);

}  // namespace yard::engine
