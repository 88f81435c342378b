// `gpuyard cluster create|add-host|remove-host|doctor|destroy|attach`.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

void AddClusters(CLI::App& app, Session& session);

}  // namespace yard::cli
