// Whether the disk of the data directory takes more.
#pragma once

#include <string>

#include "base/result.h"

namespace yard::app {

// kUnavailable if so little is left that changes cannot be kept. Thread-safe; does not block on
// local disks.
Status RequireRoom(const std::string& folder);

}  // namespace yard::app
