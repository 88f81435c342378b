// The subcommands that work on this machine alone: up, server, backup, restore, trust, demo,
// simulate, and `config check` and `config show`.
#pragma once

#include "app/environment.h"
#include "cli/exit_code.h"

namespace CLI {
class App;
}

namespace yard::app {

// Parsing a command line of `app` runs the chosen command and leaves its result in `exit_code`.
// Both arguments must outlive the parsing.
void AddServerCommands(CLI::App& app, const Environment& environment, cli::ExitCode& exit_code);

// What failed and what to do, on one line of standard error.
cli::ExitCode Report(const Error& error, cli::ExitCode exit_code);

}  // namespace yard::app
