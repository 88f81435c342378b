// The command line of Run:ai, both grammars: `runai submit …` and `runai workspace submit …`.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli::runai {

// All verbs, below `app`: the program itself when it is called `runai`, or `gpuyard runai`.
void AddRunai(CLI::App& app, Session& session);

}  // namespace yard::cli::runai
