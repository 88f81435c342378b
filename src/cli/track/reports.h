// The verb about reports on runs. See cli/verbs.h.
#pragma once

#include "cli/session.h"
#include "cli/verb.h"

namespace yard::cli {

void AddReports(const Verb& root, Session& session);

}  // namespace yard::cli
