// Asks the keeper for the region and a slot. Blocks for at most a few seconds.
#pragma once

#include "slice/shim/process.h"

namespace yard::slice {

void Attach(Process* process, Role role);

}  // namespace yard::slice
