// What a request for GPUs, CPU and memory must satisfy beyond its schema, in assets and in work.
//
// Pure functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "model/spec/spec.h"

namespace yard::wire {

// Amounts that cannot be met: nothing asked for of a GPU, or more asked for than its own limit.
// `prefix` is the path of the object, with its dot.
void CheckAmounts(const json::object& compute, std::string_view prefix,
                  std::vector<FieldIssue>& issues);

// The same, and the rest that a schema cannot say, for the whole spec of a workload; kInvalid with
// all that is wrong. `root` is the name of the spec in the request.
Status RequireSound(const json::object& spec, std::string_view root);

// A new limit of GPU memory, in the words that the workload asked for its part in.
Status RequireGpuLimit(const SpecChange& change, GpuAsk ask);

}  // namespace yard::wire
