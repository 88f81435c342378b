// The system calls that no task needs: kernel interfaces that only administrators use, or that
// attacks on the kernel are made of.
#pragma once

#include "shim/failure.h"

namespace yard::shim {

// Takes the calls away from this process and all that come from it, for good: they answer EPERM.
// Other programs than those of this machine's own kind (32 bit) get ENOSYS for every call. Needs
// no_new_privs. A kernel without filters lets everything pass.
Failure TakeCallsAway();

}  // namespace yard::shim
