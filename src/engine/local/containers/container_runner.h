// Runs tasks in containers of podman or docker, each under a shim of its own.
//
// The server gets the image and makes the container; the shim starts it, keeps its output and
// decides what happened, so that it goes on without the server. Where the daemon lets us, the
// container lies inside a control group of ours, which sets the limits, tells out-of-memory apart
// and is removed at the end.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "engine/local/options.h"
#include "engine/local/runner.h"

namespace yard::engine::containers {

// kUnavailable if no daemon answers on the socket.
Result<std::unique_ptr<Runner>> MakeContainerRunner(const LocalOptions& options,
                                                    const std::string& socket);

// Where daemons listen on most machines.
std::span<const std::string> UsualSockets();
// What answers there: "podman 4.3.1 at /run/podman/podman.sock"; the socket alone if it does not
// say.
std::string DescribeDaemon(const std::string& socket);
// What is amiss if it cannot keep the root of a container apart from the machine's, and what to do
// about it.
std::optional<std::string> MissingNamespaces(const std::string& socket);
// The folder of its images and containers; nothing if it does not say.
std::optional<std::string> StorageFolder(const std::string& socket);
// The first on which a daemon answers.
std::optional<std::string> FindDaemon(std::span<const std::string> sockets);

}  // namespace yard::engine::containers
