// What is wrong with which field, as it is answered.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/writer.h"

namespace yard::wire {

// A list of {field, details} under that key.
void WriteFieldIssues(Writer& w, std::string_view key, const std::vector<FieldIssue>& issues);

}  // namespace yard::wire
