// The API: takes HTTP requests through routing, authentication, authorisation, handler and, for
// changes, the reactor, to an answer.
//
// Thread-safe: Handle runs on the I/O threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "control/service.h"
#include "control/state/watch.h"
#include "http/http.h"
#include "serve/auth/authenticator.h"
#include "serve/call.h"
#include "serve/live/live_threads.h"
#include "serve/metrics.h"
#include "serve/one_time_replies.h"
#include "serve/proxy/proxy.h"
#include "serve/query_check.h"
#include "serve/route.h"
#include "serve/router.h"
#include "serve/worker.h"

namespace yard::control {
class Courier;
class Live;
class Vault;
}  // namespace yard::control

namespace yard::serve {

class Identity;

struct ServerContext {
  control::Service& service;
  Authenticator& authenticator;
  const control::Vault* vault = nullptr;  // null: credentials cannot be stored
  Identity* identity = nullptr;           // without it nobody can sign in
  control::Live* live = nullptr;          // null: no engine runs, and work cannot be reached
  control::Courier* courier = nullptr;    // null: no message leaves the server
};

class Server final : public http::Handler {
 public:
  // `context` and what it refers to must outlive the server.
  Server(ServerContext context, const std::vector<Route>& routes);

  void Handle(http::Request request, http::Respond respond) override;

  // /readyz answers 503 until this is called, and again once draining starts.
  void SetReady(bool ready) { ready_ = ready; }
  bool ready() const { return ready_; }
  const std::vector<Route>& routes() const { return routes_; }
  Metrics& metrics() { return metrics_; }
  const control::Vault* vault() const { return context_.vault; }
  control::ChangeFeed& feed() { return feed_; }
  const ServerContext& context() const { return context_; }
  OneTimeReplies& one_time_replies() { return one_time_replies_; }
  LiveThreads& live_threads() { return live_threads_; }

 private:
  struct Exchange;  // a call and the way to answer it

  Status Admit(Call& call);
  void Run(std::shared_ptr<Exchange> exchange);
  void Settle(std::shared_ptr<Exchange> exchange, Result<Answer> answer);
  void Commit(std::shared_ptr<Exchange> exchange, Pending pending);
  void Delegate(std::shared_ptr<Exchange> exchange, Slow slow);
  void Finish(Exchange& exchange, http::Reply reply);
  // What is no route: a workload's tool, the dashboard, or nothing.
  void HandleElsewhere(const Match& match, http::Request request, http::Respond respond);
  http::Reply NoRoute(const Match& match, const http::Request& request) const;

  ServerContext context_;
  const std::vector<Route>& routes_;
  Router router_;
  QueryCheck query_check_;
  OneTimeReplies one_time_replies_;
  Metrics metrics_;
  std::atomic<bool> ready_{false};
  control::ChangeFeed feed_;
  LiveThreads live_threads_;
  Proxy proxy_;
  Worker worker_;  // last: its tasks use the rest
};

}  // namespace yard::serve
