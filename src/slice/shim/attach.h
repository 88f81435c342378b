// What this process asks its keeper: the region and a slot, and later more room. Each question
// blocks for at most a few seconds.
#pragma once

#include "slice/shim/process.h"

namespace yard::slice {

void Attach(Process* process, Role role);

// True if the slice may now hold so much more of the GPU; false also while the keeper is away.
bool AskForRoom(int gpu, std::uint64_t bytes);

}  // namespace yard::slice
