// The terminal the program was started from, as a Console for the verbs.
#pragma once

#include <optional>
#include <string>

#include "app/environment.h"
#include "cli/console.h"

namespace yard::app {

cli::Console OpenConsole(const Environment& environment);

// Asks on the terminal itself, without echo, also when input and output are redirected.
std::optional<std::string> ReadSecret(const std::string& prompt);

}  // namespace yard::app
