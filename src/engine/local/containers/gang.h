// The network of a gang: ranks of one attempt in containers on one machine find each other by name,
// and nobody else finds them. It is made by the first rank that starts and goes with the last.
// Thread-safe.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "engine/local/containers/create.h"
#include "engine/local/containers/daemon.h"
#include "engine/task.h"

namespace yard::engine::containers {

// Whether the task shares a network with other ranks.
bool HasGang(const TaskSpec& spec);

// The place of the task in a network with this subnet. Podman takes an address and writes the names
// of the others into the container; docker takes none in a subnet of its own choice, and has names.
// kInvalid if the subnet is too small. Pure.
Result<GangNetwork> PlaceInGang(const TaskSpec& spec, DaemonKind daemon, const std::string& subnet);

// Makes the network, also if it is there; nothing for a task without a gang.
Result<std::optional<GangNetwork>> JoinGang(const Daemon& daemon, const TaskSpec& spec,
                                            const Surroundings& around);
// Whether the daemon refused a container for want of the network.
bool LacksNetwork(const Error& error, const TaskSpec& spec);
// Removes the network unless another rank is in it.
void LeaveGang(const Daemon& daemon, const TaskSpec& spec);

}  // namespace yard::engine::containers
