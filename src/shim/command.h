// Starts the task's command: control groups, account, terminal, environment, then exec.
#pragma once

#include <sys/types.h>

#include "shim/failure.h"
#include "shim/spec.h"

namespace yard::shim {

// What the command is born with: its standard streams and its mounts.
struct Streams {
  int input = -1;
  int output = -1;    // and error
  int terminal = -1;  // becomes the controlling terminal if there is one
  int mounts = -1;    // the mount namespace it enters, see shim/mounts.h
};

struct Started {
  pid_t pid = -1;
  Failure failure;
};

// Runs the command as a child that shares this process's memory until it has called exec, so
// that a failure is told by simply writing it down.
Started StartCommand(const Spec& spec, const Streams& streams);

// Gives the calling process the account, directory, mask and signals of the task.
Failure TakePlace(const Spec& spec);

// Turns the calling process into `argv`, with the account, directory and environment of the
// task. Returns only on failure.
Failure Become(const Spec& spec, char** argv, char** envp);

}  // namespace yard::shim
