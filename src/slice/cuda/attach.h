// What this process asks its keeper: the region and a slot, and later more room. Each question
// blocks for at most a few seconds.
#pragma once

#include "slice/cuda/process.h"

namespace yard::slice {

void Attach(Process* process, Role role);

// kWelcome if the slice may now hold so much more of the GPU; kNoRoom also while the keeper is
// away.
Answer AskForRoom(int gpu, std::uint64_t bytes);

}  // namespace yard::slice
