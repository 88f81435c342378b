// The API: takes HTTP requests through routing, authentication, authorisation, handler and, for
// changes, the reactor, to an answer.
//
// Thread-safe: Handle runs on the I/O threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "control/auth/machine_accounts.h"
#include "control/service.h"
#include "control/state/watch.h"
#include "http/gate.h"
#include "http/http.h"
#include "serve/addresses.h"
#include "serve/auth/authenticator.h"
#include "serve/auth/client_address.h"
#include "serve/call.h"
#include "serve/dialect.h"
#include "serve/live/live_rights.h"
#include "serve/live/live_threads.h"
#include "serve/metrics.h"
#include "serve/one_time_replies.h"
#include "serve/proxy/proxy.h"
#include "serve/query_check.h"
#include "serve/route.h"
#include "serve/router.h"
#include "serve/upload.h"
#include "serve/worker.h"

namespace yard::control {
class Courier;
class DataSets;
class Live;
class Studies;
class Tracking;
class Vault;
struct Ftps;
}  // namespace yard::control
namespace yard::oidc {
class Provider;
}  // namespace yard::oidc

namespace yard::serve {

class Identity;

struct ServerContext {
  control::Service& service;
  Authenticator& authenticator;
  const control::Vault* vault = nullptr;  // null: credentials cannot be stored
  Identity* identity = nullptr;           // without it nobody can sign in
  control::Live* live = nullptr;          // null: no engine runs, and work cannot be reached
  control::Courier* courier = nullptr;    // null: no message leaves the server
  const Addresses* addresses = nullptr;   // null: no browser comes, and no tool is shown
  control::MachineAccounts accounts = {};
  TrustedProxies proxies = {};
  oidc::Provider* oidc = nullptr;             // null: people sign in here only
  control::Tracking* tracking = nullptr;      // null: no run is tracked
  control::Studies* studies = nullptr;        // null: no study is kept
  control::DataSets* data_sets = nullptr;     // null: no data set is kept
  control::Ftps* ftps = nullptr;              // null: no files come by FTPS
  std::span<const Dialect> dialects = {};     // none: every refusal has the form of our API
  std::span<const UploadRoute> uploads = {};  // the routes that take large files
  std::uint64_t most_upload_bytes = 0;        // of one of them
  // Whether changes can be kept; asked by /readyz, so it must not block. Empty: they can.
  std::function<Status()> storage = {};
};

class Server final : public http::Handler, public http::Gate {
 public:
  // `context` and what it refers to must outlive the server.
  Server(ServerContext context, const std::vector<Route>& routes);

  // Public routes take little, and plain; all others ask first who sends the body.
  http::Intake Expect(const http::Request& head) override;
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
  // What serves the tools' origin.
  Proxy& tools() { return proxy_; }
  LiveRights& live_rights() { return live_rights_; }
  // The two answers to a file that comes in pieces; see serve/upload.h.
  void FinishUpload(http::Request request, std::unique_ptr<Upload> upload, http::Respond respond);
  http::Reply RefuseUpload(const std::string& path, const Error& error);
  // Where files are read and written.
  Worker& files() { return files_; }
  // A check of the caller's right that can be made again after the call is answered, on the newest
  // state: that the caller is still who it was, and that `check` still allows it.
  std::function<Status()> Again(const Call& call, const std::function<Status(Call& call)>& check);

 private:
  // A call and the way to answer it.
  struct Exchange {
    Call call;
    http::Respond respond;
  };

  // Null: it is answered already.
  std::shared_ptr<Exchange> Enter(http::Request request, http::Respond respond);
  // Null: the body is kept, as most are.
  const UploadRoute* UploadAt(const Route& route, const http::Request& head) const;
  Result<std::unique_ptr<Upload>> OpenUpload(Call& call, const UploadRoute& route);
  http::Intake ForUpload(const http::Request& head, Match match, const UploadRoute& route);

  http::Respond ServePage(http::Request& request, std::string key, http::Respond respond);
  // Whether a page of another origin sent it.
  bool IsForeign(const http::Request& request) const;
  Status Admit(Call& call);
  void Run(std::shared_ptr<Exchange> exchange);
  void Settle(std::shared_ptr<Exchange> exchange, Result<Answer> answer);
  void Commit(const std::shared_ptr<Exchange>& exchange, Pending pending);
  void Delegate(std::shared_ptr<Exchange> exchange, Slow slow);
  Worker& WorkerOf(Slow::Lane lane);
  void Finish(Exchange& exchange, http::Reply reply);
  // What is no route: the dashboard, a tool that is elsewhere, or nothing.
  void HandleElsewhere(const Match& match, http::Request request, http::Respond respond);
  http::Reply NoRoute(const Match& match, const http::Request& request) const;
  // In the words of the protocol that the path belongs to.
  http::Reply Refuse(std::string_view path, const Error& error) const;
  http::Reply Refuse(std::string_view path, const Error& error, int status) const;
  void Refuse(Exchange& exchange, const Error& error);

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
  // From here on: their tasks use the rest.
  Worker worker_{{.threads = 3, .queue_of_one = 48, .threads_of_one = 2}};
  Worker passwords_{{.queue_of_one = 48}};  // one network leaves room for others
  Worker providers_{{.queue_of_one = 48}};
  Worker bodies_{{.threads = 1, .queue = 64}};  // parses the large ones
  // Content of data sets.
  Worker data_{{.threads = 3, .queue = 128, .queue_of_one = 96, .threads_of_one = 2}};
  // Files that come and go in pieces: each of them has one task at a time.
  Worker files_{{.threads = 3, .queue = 2048, .queue_of_one = 1536, .threads_of_one = 2}};
  LiveRights live_rights_;  // last: its checks use the rest
};

}  // namespace yard::serve
