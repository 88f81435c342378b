// Watches over one task that is a container of podman or docker, from its start to its end.
//
// The container is made before by the server; here it is started, its output kept, its end waited
// for and put on record, and everything of it removed. A second shim may take the task up when the
// first one died: a container that ran before is never started again.
#pragma once

#include <cstdint>

#include "shim/spec.h"

namespace yard::shim {

struct Place {
  int folder = -1;     // the task's, which is the current one too
  int state = -1;      // the file `state`, for appending
  bool again = false;  // another shim had the task before
};

// As WatchTask. A container that could not be started leaves no end but the daemon's words in the
// file `refusal`, for the server to explain.
int WatchContainer(const Spec& spec, const Place& place);

}  // namespace yard::shim
