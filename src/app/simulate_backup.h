// `gpuyard simulate capture`, `export`: what a lab's own server knows, as input of the simulator.
//
// Both read a backup, which `gpuyard backup` makes while the server serves, so nothing here touches
// a running server.
#pragma once

#include <string>

#include "base/result.h"

namespace yard::app {

// What the scheduler saw when the backup was made, for `simulate replay`.
Result<std::string> CaptureOf(const std::string& backup);

struct Trace {
  std::string jobs;     // CSV: everything that ran and ended
  std::string cluster;  // JSON: pools, nodes, departments, projects
  std::size_t count = 0;
};

// The past of a server, for `simulate jobs`. Times count from the first submission.
Result<Trace> TraceOf(const std::string& backup);

}  // namespace yard::app
