// The reverse proxy: "/project/workload/…" leads to the tool that the workload exposes.
//
// Who is signed in may use it: by the session's cookie, which POST /api/v1/session sets, or by a
// token as for the API. Whoever shows no credentials at all is not told whether there is anything.
// Thread-safe.
#pragma once

#include "api/live_threads.h"
#include "base/result.h"
#include "http/http.h"

namespace yard::api {

struct ServerContext;

class Proxy {
 public:
  Proxy(const ServerContext& context, LiveThreads& threads)
      : context_(context), threads_(threads) {}

  // Whether a request with this head is for a tool; then whoever sends it may use that tool.
  Result<bool> Expects(const http::Request& head) const;
  // Whether the request is for a tool: then it is taken and answered.
  bool Take(http::Request& request, http::Respond& respond);

 private:
  const ServerContext& context_;
  LiveThreads& threads_;
};

}  // namespace yard::api
