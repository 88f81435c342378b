// How a workload ended, as the exit status and the sentence of `run` and `wait`.
#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "cli/session.h"
#include "client/client.h"

namespace yard::cli {

struct Ending {
  int status = 0;       // the table in docs/cli.md
  std::string message;  // empty: it completed
};

// Pure. `attempt` is the newest, as /attempts shows it; null: there was none.
Ending EndingOf(const json::value& workload, const json::value& attempt);

// Asks for the attempts of a workload that has ended. `workload` may be null: it is deleted.
client::Outcome<Ending> AskEnding(Session& session, const std::string& id,
                                  const json::value& workload);

// Waits for the end of one and tells it; its exit status, or nothing if somebody pressed Ctrl-C.
client::Outcome<std::optional<int>> WaitForEnd(Session& session, const json::value& workload);

// Newest first; empty if there was none.
client::Outcome<json::array> AttemptsOf(Session& session, const std::string& id);

}  // namespace yard::cli
