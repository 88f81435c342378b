// `gpuyard simulate server`: a whole server in simulated time, with faults.
#pragma once

#include "cli/exit_code.h"

namespace CLI {
class App;
}

namespace yard::app {

void AddSimulateServer(CLI::App& simulate, cli::ExitCode& exit_code);

}  // namespace yard::app
