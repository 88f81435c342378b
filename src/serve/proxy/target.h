// Which tool a path leads to, and who may use it.
//
// Pure functions of a state; thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "control/auth/access.h"
#include "control/state/state.h"
#include "model/spec/spec.h"
#include "model/workload.h"

namespace yard::serve {

using Tool = ToolUrl;

struct ToolPlace {
  Ptr<Workload> workload;
  std::string prefix;  // "/project/workload", as it was written
};

// The workload that "/project/workload/…" names; nothing if there is no such.
std::optional<ToolPlace> FindToolPlace(const control::State& state, std::string_view path);

// The first port the workload exposes; kNotFound if it exposes none.
Result<Tool> ToolOf(const Workload& workload);

// A tool runs whatever its user types, so more than a look at the workload is needed: to have
// submitted it, to be named by it, or to be allowed to change it.
Status MayUse(const control::State& state, const control::Principal& who, const Workload& workload,
              const Tool& tool);

}  // namespace yard::serve
