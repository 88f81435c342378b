// The verbs of the command line, one file each under cli/verbs/.
//
// Parsing a command line of `app` runs the chosen verb and leaves the outcome in the session's
// exit code. `app` must not outlive `session`.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

void AddLogin(CLI::App& app, Session& session);
void AddLogout(CLI::App& app, Session& session);
void AddWhoami(CLI::App& app, Session& session);
void AddVersion(CLI::App& app, Session& session);
void AddConfig(CLI::App& app, Session& session);
void AddGet(CLI::App& app, Session& session);
void AddDelete(CLI::App& app, Session& session);
void AddApply(CLI::App& app, Session& session);

// All of the above.
void AddVerbs(CLI::App& app, Session& session);

// The option -o that every verb with a result takes.
void AddFormatOption(CLI::App& verb, Session& session);

}  // namespace yard::cli
