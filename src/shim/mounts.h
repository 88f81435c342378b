// The mounts of one task, in a mount namespace of its own that ends with it.
//
// A mount point that is not there is made, with its parents, and removed by the last task that
// uses it.
#pragma once

#include "shim/failure.h"
#include "shim/spec.h"

namespace yard::shim {

// Leaves the machine's mount namespace for a private one and mounts what the spec says. Does
// nothing without mounts.
Failure MakeMounts(const Spec& spec);

// Takes away what the server has mounted for a container daemon, who does not see into a private
// namespace.
void RemoveSharedMounts(const Spec& spec);

// Joins the mount namespace of the running task.
Failure JoinMounts(const Spec& spec, int pid);

// Gives up the mount points of MakeMounts, and removes those that no other task uses.
void RemoveMountPoints();

}  // namespace yard::shim
