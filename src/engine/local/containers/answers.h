// What the daemon's answers mean, apart from how they were fetched. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "engine/local/containers/daemon.h"

namespace yard::engine::containers {

// The daemon's own words in an Error with a code that fits its status.
Error Refusal(const Reply& reply);
// The answer as JSON, or the refusal.
Result<json::value> Accept(const Result<Reply>& reply);
// The answer without a body, or the refusal.
Status AcceptEmpty(const Result<Reply>& reply);

DaemonFacts ReadDaemon(const json::value& version, const json::value& info);
ImageFacts ReadImage(const json::value& inspect);
ContainerFacts ReadContainer(const json::value& inspect);
ContainerFacts ReadListed(const json::value& item);

}  // namespace yard::engine::containers
