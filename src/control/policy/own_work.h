// Whose work it is: what the members of a project may do with each other's work, beyond what their
// roles allow. See WorkAccess in model/org.h. Only reads; any thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "control/auth/access.h"
#include "control/state/state.h"
#include "model/workload.h"

namespace yard::control {

enum class Touch {
  kEnter,  // commands, terminals, ports and files inside its tasks
  kOrder,  // stop, delete and change it
};

// Work, or a study, which makes work in its owner's name.
struct Owned {
  std::string_view kind;  // "workload"
  std::string_view name;
  std::string_view owner;
  ProjectId project;
};

// Whether it is the principal's own.
bool IsOwn(const State& state, const Principal& who, std::string_view owner);
bool IsOwn(const State& state, const Principal& who, const Workload& workload);

// kForbidden, with the owner's name, where the project keeps the work from this member.
Status RequireTouch(const State& state, const Principal& who, const Owned& owned, Touch touch);
Status RequireTouch(const State& state, const Principal& who, const Workload& workload,
                    Touch touch);

}  // namespace yard::control
