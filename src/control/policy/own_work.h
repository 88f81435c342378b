// Whose work it is: what the members of a project may do with each other's work, beyond what their
// roles allow. See WorkAccess in model/org.h. Only reads; any thread.
#pragma once

#include "base/result.h"
#include "control/auth/access.h"
#include "control/state/state.h"
#include "model/workload.h"

namespace yard::control {

enum class Touch {
  kEnter,  // commands, terminals, ports and files inside its tasks
  kOrder,  // stop, delete and change it
};

// Whether the workload is the principal's own.
bool IsOwn(const State& state, const Principal& who, const Workload& workload);

// kForbidden, with the owner's name, where the project keeps the work from this member.
Status RequireTouch(const State& state, const Principal& who, const Workload& workload,
                    Touch touch);

}  // namespace yard::control
