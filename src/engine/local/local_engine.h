// The engine of this machine: plain processes under shims, and containers where a runner for them
// is given. See engine/engine.h for the contract and engine/local/runner.h for the seam.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/local/options.h"
#include "engine/local/runner.h"

namespace yard::engine {

struct ContainerSupport {
  std::unique_ptr<Runner> runner;  // null: none
  std::string missing = "containers are not set up on this machine";
  std::string daemon = {};  // who runs them: "podman 4.3.1 at /run/podman/podman.sock"
};

// kConflict if another process runs tasks in the same root.
Result<std::unique_ptr<Engine>> OpenLocalEngine(LocalOptions options, ContainerSupport containers);

}  // namespace yard::engine
