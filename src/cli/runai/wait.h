// Waiting for work to run, as flags like --pod-running-timeout ask for.
#pragma once

#include <string>

#include "cli/session.h"
#include "client/client.h"

namespace yard::cli::runai {

// Until the work runs or has ended. `span` ("5m"; empty: any time) bounds it: kPrecondition then.
client::Outcome<void> WaitForStart(Session& session, const std::string& id,
                                   const std::string& span);

}  // namespace yard::cli::runai
