// What this machine is: its name, CPUs, memory.
#pragma once

#include <string>

#include "engine/task.h"

namespace yard::engine {

std::string HostName();

// Without GPUs.
NodeState ProbeNode(const std::string& name);

}  // namespace yard::engine
