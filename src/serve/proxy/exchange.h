// One request on its way to a tool and back.
//
// Bodies are passed on as they come; whichever side is slower sets the pace. An upgrade becomes a
// tunnel of bytes in which the tool and the browser speak as they like. A tool whose answer does
// not begin in time is left, and so is one whose browser leaves first. Any thread; the work is done
// on the poller.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/time.h"
#include "http/http.h"
#include "serve/live/live_threads.h"

namespace yard::serve {

struct ToolCall {
  std::string request;  // as bytes
  http::Method method = http::Method::kGet;
  std::string prefix;  // of the tool's paths
  // Whether the browser asked for another protocol. What its connection carries after an upgrade
  // that it knows nothing of may be the next request, and not of the same person.
  enum class Protocol { kHttp, kMayChange };
  Protocol protocol = Protocol::kHttp;
  // Until the answer begins. Longer than a server lets a browser wait, unless told otherwise.
  Micros patience = Minutes(10);
  http::Waiter browser = {};
};

// Answers once, unless the browser leaves first.
void ExchangeWithTool(LiveThreads& threads, UniqueFd stream, ToolCall call, http::Respond respond);

}  // namespace yard::serve
