// Carries running work over WebSockets.
//
// A session (a command, a terminal, a file transfer) speaks in frames whose first byte names the
// channel: 0 input, 1 output, 2 errors, 3 control as JSON; the last frame from here says
// {"exit": N} or {"error": "…"}. A port is a plain stream of bytes in binary frames. Nothing is
// read ahead in either direction, so a slow end holds the other back. When the WebSocket ends, the
// session is hung up.
// Any thread; the work is done on the poller.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/fd.h"
#include "base/result.h"
#include "control/live.h"  // for the types of sessions
#include "http/websocket.h"
#include "serve/live/live_threads.h"

namespace yard::serve {

using SessionPtr = std::shared_ptr<engine::Session>;

// A session that is hung up where that may block.
SessionPtr Hold(LiveThreads& threads, std::unique_ptr<engine::Session> session);

// Calls `exited` on the poller with how the session's command ended. Whoever gives up earlier
// forgets Session::ended. Poller's thread.
using Exited = std::move_only_function<void(const Result<std::int32_t>& code)>;
void AwaitExit(LiveThreads& threads, SessionPtr session, Exited exited);

void BridgeSession(LiveThreads& threads, SessionPtr session,
                   std::shared_ptr<http::WebSocket> socket);

// `stream` becomes non-blocking.
void BridgePort(LiveThreads& threads, UniqueFd stream, std::shared_ptr<http::WebSocket> socket);

}  // namespace yard::serve
