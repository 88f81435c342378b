// Ways into a running container: commands, ports, files.
#pragma once

#include <memory>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/local/containers/daemon.h"
#include "engine/local/runner.h"

namespace yard::engine::containers {

Result<std::unique_ptr<Session>> ExecInside(const Daemon& daemon, const RunningTask& task,
                                            const ExecSpec& spec);
// `shim` is the program that goes where this process may not.
Result<UniqueFd> ConnectInside(const Daemon& daemon, const std::string& shim,
                               const RunningTask& task, std::uint16_t port);
// Paths that are not absolute start where the container's command did.
Result<std::unique_ptr<Session>> ReadInside(const Daemon& daemon, const RunningTask& task,
                                            const std::string& path);
Result<std::unique_ptr<Session>> WriteInside(const Daemon& daemon, const RunningTask& task,
                                             const std::string& path);

}  // namespace yard::engine::containers
