// Volumes: folders that the engine keeps for projects, by the name "project.claim".
#pragma once

#include <string>

#include "base/result.h"
#include "engine/task.h"

namespace yard::engine {

// kInvalid if the mount wants a volume that is there and `path`, its folder, is not.
Status RequireVolume(const Mount& mount, const std::string& path);

}  // namespace yard::engine
