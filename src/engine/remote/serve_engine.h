// The other side of engine/remote/remote_engine.h: an engine with privileges, which does what it
// is asked from typed requests and looks at every task once more.
//
// The process that asks is not trusted. A request that is not whole ends its connection.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/remote/task_rules.h"

namespace yard::engine {

struct ServedEngine {
  // Called once, when the other side asks for it.
  std::function<Result<std::unique_ptr<Engine>>()> open;
  std::function<Result<std::string>(const std::string& path)> resolve_path;
  std::vector<std::string> closed;  // told to the other side; `rules` has its own
  remote::TaskRules rules;
};

// Serves until the other end of `control` is closed. Its threads have ended when it returns.
void ServeEngine(UniqueFd control, ServedEngine served);

}  // namespace yard::engine
