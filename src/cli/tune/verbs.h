// The verbs about studies: tune, studies.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

void AddTune(CLI::App& app, Session& session);

}  // namespace yard::cli
