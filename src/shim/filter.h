// The system calls that no task, or not even the engine, needs: kernel interfaces that only
// administrators use, or that attacks on the kernel are made of.
#pragma once

#include "shim/failure.h"

namespace yard::shim {

// Takes the calls away from this process and all that come from it, for good: they answer EPERM.
// Other programs than those of this machine's own kind (32 bit) get ENOSYS for every call. Needs
// no_new_privs. A kernel without filters lets everything pass.
Failure TakeCallsAway();

// The same for the engine and what it starts: modules, another kernel, swap, the clock, ports of
// the machine, files by handle. Holds for all threads of the process. Needs root, not no_new_privs.
Failure TakeAdministrationAway();

}  // namespace yard::shim
