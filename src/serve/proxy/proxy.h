// The reverse proxy: "/project/workload/…" leads to the tool that the workload exposes.
//
// Who is signed in may use it: by the session's cookie, which POST /api/v1/session sets, or by a
// token as for the API. Whoever shows no credentials at all is not told whether there is anything.
// Thread-safe.
#pragma once

#include "http/http.h"
#include "serve/live/live_threads.h"

namespace yard::serve {

struct ServerContext;

class Proxy {
 public:
  Proxy(const ServerContext& context, LiveThreads& threads)
      : context_(context), threads_(threads) {}

  // Whether the request is for a tool: then it is taken and answered.
  bool Take(http::Request& request, http::Respond& respond);

 private:
  const ServerContext& context_;
  LiveThreads& threads_;
};

}  // namespace yard::serve
