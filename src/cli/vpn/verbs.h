// The verb about VPNs: vpn install, connect, disconnect, uninstall, status. See cli/verbs.h.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

void AddVpn(CLI::App& app, Session& session);

}  // namespace yard::cli
