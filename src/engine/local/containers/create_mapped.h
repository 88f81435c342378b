// From a task to the request that creates its container in a user namespace of its own, in the
// words of podman's own API: the one that is shared with docker has none for it. Pure.
#pragma once

#include <string>

#include "engine/local/containers/create.h"
#include "engine/task.h"

namespace yard::engine::containers {

// The body of the request, as JSON. It means what CreateBody's does; besides, every id of the
// container is one of the project's range.
std::string MappedCreateBody(const TaskSpec& spec, const Surroundings& surroundings);

}  // namespace yard::engine::containers
