// Waiting for a workload to change, without polling: the server's stream of changes says when to
// look again. A server that restarts is waited for.
#pragma once

#include <functional>
#include <string>

#include "base/json.h"
#include "cli/session.h"
#include "client/client.h"

namespace yard::cli {

enum class Going { kOn, kEnough };

// Shows the workload to `look` now and after each of its changes, until it has seen enough or
// `stopped` says so. One that is deleted for good is shown a last time, as null.
client::Outcome<void> WatchWorkload(Session& session, const std::string& id,
                                    const std::function<Going(const json::value&)>& look,
                                    const std::function<bool()>& stopped = {});

// Calls `look` now and after every change of anything the person sees.
client::Outcome<void> WatchAll(Session& session, const std::function<Going()>& look);

// Somebody ended it.
bool IsCancelled(const json::value& workload);
// Nothing more will happen to it by itself.
bool HasEnded(const json::value& workload);
// It runs, or ran: there may be a log.
bool HasStarted(const json::value& workload);

}  // namespace yard::cli
