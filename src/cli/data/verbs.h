// The verb about data sets: data push, pull, ls, diff, rm. See cli/verbs.h.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

void AddData(CLI::App& app, Session& session);

}  // namespace yard::cli
