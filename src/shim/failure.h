// Why a task could not be started: the step, the thing it failed on, and the system's reason.
#pragma once

namespace yard::shim {

struct Failure {
  const char* step = nullptr;  // "cannot enter the working directory"; null: no failure
  const char* thing = "";
  int error = 0;  // errno; 0: `step` says it all
};

}  // namespace yard::shim
