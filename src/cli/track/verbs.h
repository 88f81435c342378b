// The verbs about tracked runs: runs, metrics, artifacts, import. See cli/verbs.h.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

class Verb;

void AddTracking(CLI::App& app, Session& session);
// A part of AddTracking.
void AddArtifacts(const Verb& root, Session& session);
void AddImport(CLI::App& app, Session& session);

}  // namespace yard::cli
