// `gpuyard simulate`: the production scheduler on a trace, in virtual time, without a server.
//
// Results go to standard output, everything else to standard error. Exit codes: 0; 1 for a file
// that cannot be read or holds something impossible; 2 for wrong arguments.
#pragma once

#include "cli/exit_code.h"

namespace CLI {
class App;
}

namespace yard::app {

// Parsing a command line of `app` runs the command and leaves its result in `exit_code`, which
// must outlive the parsing.
void AddSimulate(CLI::App& app, cli::ExitCode& exit_code);

}  // namespace yard::app
