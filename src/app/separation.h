// Two processes instead of one: the server, which strangers talk to, has no privileges, and its
// engine, which strangers do not reach, has them.
#pragma once

#include <cstdint>
#include <optional>

#include "app/server_account.h"
#include "app/settings.h"
#include "base/fd.h"
#include "base/result.h"

namespace yard::app {

// Starts the engine's process and takes the account for good, in one more group if one is named.
// The descriptor leads to that process (engine/remote/remote_engine.h). Call it before there is a
// thread or a socket.
Result<UniqueFd> Separate(const Settings& settings, const ServerAccount& account,
                          std::optional<std::uint32_t> group);

// Waits a while for the engine's process to end, once nothing leads to it any more.
void AwaitEngine();

}  // namespace yard::app
