// What this process asks its keeper: the region and a slot, later more room, and to look at what
// the driver took. Each question blocks for at most a few seconds.
#pragma once

#include "slice/cuda/process.h"

namespace yard::slice {

void Attach(Process* process, Role role);

// kWelcome if the slice may now hold so much more of the GPU; kNoRoom also while the keeper is
// away.
Answer AskForRoom(int gpu, std::uint64_t bytes);

// Returns once the keeper has compared the slice's books with NVML; false while it is away.
enum class Holds { kFirstContext, kAnything };
bool AskForLook(int gpu, Holds holds);

}  // namespace yard::slice
