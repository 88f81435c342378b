// Linear memory as the driver takes it: in blocks of 2 MiB, which smaller allocations share.
//
// A block is paid for while something lies in it. In which block an allocation lies is told by its
// address, and so only after the driver has answered: a whole block is reserved before, and given
// back if the driver found room in one that is paid for already.
// Threads: any.
#pragma once

#include <cstdint>

#include "slice/cuda/process.h"

namespace yard::slice {

// What to reserve for n bytes.
std::uint64_t LinearBytes(std::uint64_t n);

// The driver has answered with `made.key` for n bytes, of which LinearBytes(n) are reserved: notes
// the allocation. Of `made` all but the bytes are filled in.
void KeepLinear(Process& process, Charge made, std::uint64_t n);

// The allocation is gone.
void ReleaseLinear(Process& process, const Charge& gone);

}  // namespace yard::slice
