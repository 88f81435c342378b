// `gpuyard demo`: a lab on simulated nodes, in a data directory of its own.
//
// Every start makes the lab anew: simulated nodes remember nothing. It never touches a directory
// that it has not made itself, which it knows by the file kDemoMark.
#pragma once

#include <cstdint>
#include <string>

#include "app/environment.h"
#include "base/result.h"
#include "cli/exit_code.h"

namespace CLI {
class App;
}

namespace yard::app {

inline constexpr std::string_view kDemoMark = "THIS-IS-A-DEMO";

// Parsing a command line of `app` runs the command and leaves its result in `exit_code`; both
// must outlive the parsing.
void AddDemo(CLI::App& app, const Environment& environment, cli::ExitCode& exit_code);

// Makes the directory empty but for the mark. kConflict if it holds something that no demo made,
// or if a demo is using it.
Status ClearDemoDirectory(const std::string& path);

}  // namespace yard::app
