// Connections to ports inside a container.
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace yard::engine::containers {

// Connects to the port as a process beside `pid` would: by its network namespace, so that servers
// that listen on the loopback only are reached too. kForbidden if this account may not enter it.
Result<UniqueFd> ConnectBeside(std::int32_t pid, std::uint16_t port);

// kUnavailable while nobody listens.
Result<UniqueFd> ConnectTo(const std::string& address, std::uint16_t port);

}  // namespace yard::engine::containers
