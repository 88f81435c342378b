// Connections to ports inside a container.
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "engine/local/tasks/task_folder.h"

namespace yard::engine::containers {

// Connects to the port as a process beside the task's first would: by its network namespace, so
// that servers that listen on the loopback only are reached too. kForbidden if this account may not
// enter it, kUnavailable if the process is gone, also where another has its number by now.
Result<UniqueFd> ConnectBeside(const TaskRecord& record, std::uint16_t port);

// The same by a program of ours with one thread, which can enter the user namespace that a plain
// account has made for its containers, and that of the network inside it.
Result<UniqueFd> ConnectByProgram(const std::string& shim, std::int32_t pid, std::uint16_t port);

// kUnavailable while nobody listens.
Result<UniqueFd> ConnectTo(const std::string& address, std::uint16_t port);

}  // namespace yard::engine::containers
