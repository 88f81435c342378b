// Which tool a path leads to, and who may use it.
//
// Pure functions of a state; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/auth/access.h"
#include "control/state/state.h"
#include "model/workload.h"

namespace yard::serve {

// What a workload offers to browsers.
struct Tool {
  std::uint16_t port = 0;
  bool open_to_all = false;  // to everybody who is signed in and sees the workload
  std::vector<std::string> users;
  std::vector<std::string> groups;
};

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
