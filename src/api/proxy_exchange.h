// One request on its way to a tool and back.
//
// Bodies are passed on as they come; whichever side is slower sets the pace. An upgrade becomes a
// tunnel of bytes in which the tool and the browser speak as they like.
// Any thread; the work is done on the poller.
#pragma once

#include <string>

#include "api/live_threads.h"
#include "base/fd.h"
#include "http/http.h"

namespace yard::api {

struct ToolCall {
  std::string request;  // as bytes
  http::Method method = http::Method::kGet;
  std::string prefix;  // of the tool's paths
};

// Answers exactly once.
void ExchangeWithTool(LiveThreads& threads, UniqueFd stream, ToolCall call, http::Respond respond);

}  // namespace yard::api
