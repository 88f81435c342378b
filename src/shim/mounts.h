// The mounts of one task, in a mount namespace of its own that ends with it.
//
// The namespace is the owner's to shape, so nothing privileged lives in it: this process builds it
// by descriptors, leaves it, and only the command enters it, to give up its privileges there. No
// program runs in it before.
#pragma once

#include "shim/failure.h"
#include "shim/records.h"
#include "shim/spec.h"

namespace yard::shim {

// Builds the task's namespace and leaves it again, back to the folder. `*space` is its descriptor,
// or -1 without mounts.
Failure MakeMounts(const Spec& spec, int folder, int* space);

// Enters the namespace of MakeMounts; -1: stays.
Failure EnterMounts(int space);

// Takes away what the server has mounted for a container daemon, who does not see into a private
// namespace.
void RemoveSharedMounts(const Spec& spec);

// Joins the mount namespace of the running task.
Failure JoinMounts(const Spec& spec, const TaskProcess& process);

// Gives up the mount points of MakeMounts, and removes those that no other task uses.
void RemoveMountPoints();

}  // namespace yard::shim
