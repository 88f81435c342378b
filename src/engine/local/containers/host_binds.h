// Folders and files of the machine, held for a container by descriptor.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/task.h"

namespace yard::engine::containers {

// Shows the source of a host path at `point`, which is made, without setuid programs and devices.
// A daemon mounts by path, and people may write to folders above the source: between a look at
// the path and the daemon's mount they could turn it elsewhere. What is shown at `point` stays.
// A symbolic link in the source is refused. Needs root.
Status ShowHostPath(const Mount& mount, const std::string& point);

// Whether something is mounted exactly there.
bool IsMountPoint(const std::string& path);

}  // namespace yard::engine::containers
