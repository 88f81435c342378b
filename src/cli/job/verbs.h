// The verb that runs the folder somebody stands in as a job: job. See cli/verbs.h.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

void AddJob(CLI::App& app, Session& session);

}  // namespace yard::cli
