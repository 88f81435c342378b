// node, setting, user, token, passwd: the daily work of administrators.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

void AddAdmin(CLI::App& app, Session& session);

}  // namespace yard::cli
