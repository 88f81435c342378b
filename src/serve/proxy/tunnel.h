// Joins a browser's connection and a tool's into one, byte for byte.
//
// Nothing is read ahead: each direction carries one piece at a time. Either end closes both.
// Any thread; the work is done on the poller.
#pragma once

#include <memory>
#include <string>

#include "base/fd.h"
#include "http/tunnel.h"
#include "serve/live/live_threads.h"

namespace yard::serve {

// `first` is sent to the browser before anything else.
void JoinTunnel(LiveThreads& threads, UniqueFd tool, std::shared_ptr<http::Tunnel> browser,
                std::string first);

}  // namespace yard::serve
