// The verbs about data sets (data push, pull, take, ls, diff, rm) and uploads by FTPS (ftps
// password, ls, rm). See cli/verbs.h.
#pragma once

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

void AddData(CLI::App& app, Session& session);
void AddFtps(CLI::App& app, Session& session);

class Verb;
// `data take`, in take.cc.
void AddTake(const Verb& data, Session& session);

}  // namespace yard::cli
