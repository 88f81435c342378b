// One request on its way through the API: who asks, what for, on which state.
//
// A Call lives until its answer is sent. Handlers use it from one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "control/auth/access.h"
#include "control/service.h"
#include "http/http.h"
#include "serve/route.h"

namespace yard::serve {

class Server;

class Call {
 public:
  Call(http::Request request, const Route& route, control::Service& service, Server& server);

  const http::Request& request() const { return request_; }
  const Route& route() const { return *route_; }
  control::Service& service() { return service_; }
  Server& server() { return server_; }
  const control::State& state() const { return *state_; }
  control::Snapshot snapshot() const { return state_; }
  const control::Principal& who() const { return who_; }
  Time now() const { return now_; }

  // A {name} of the route's path, percent-decoded.
  std::string_view Path(std::string_view name) const;
  // A query parameter, or nothing. Nothing too for an empty value.
  std::optional<std::string_view> Query(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& query() const { return query_; }

  // The body, parsed and valid against the route's request schema. Unknown fields are answered
  // with a Warning header, or refused if the client asked for ?strict=true.
  Result<json::object> Body();
  Result<json::value> AnyBody();

  // The check that a route with a permission must make, exactly once per object it touches.
  Status Require(const ScopePath& where);
  // The same for a route about workloads of any kind.
  Status RequireKind(const Workload& workload);
  Status RequireKind(WorkloadType type, const ScopePath& where);
  // For lists: whether the caller may see something there.
  bool Sees(const ScopePath& where) { return Sees(route_->need.resource, where); }
  // The same for another kind of thing than the route is about.
  bool Sees(Resource resource, const ScopePath& where);
  // The same for a change, made by the reactor on the newest state.
  Status Require(control::Txn& txn, const ScopePath& where);
  // Says that this answer needs no check by scope: it holds nothing but what the route's coarse
  // check has already allowed.
  void NeedsNoScope() { checked_ = true; }
  bool checked() const { return checked_; }

  // For sign-in: whom the rest of the call, and its line in the journal, belongs to.
  void ActAs(control::Principal who) { who_ = std::move(who); }

  const std::vector<std::string>& warnings() const { return warnings_; }
  void Warn(std::string warning) { warnings_.push_back(std::move(warning)); }

 private:
  friend class Server;

  http::Request request_;
  const Route* route_;
  control::Service& service_;
  Server& server_;
  control::Snapshot state_;
  control::Principal who_;
  Time now_;
  std::vector<std::pair<std::string_view, std::string>> path_;
  std::vector<std::pair<std::string, std::string>> query_;
  std::optional<control::Access> access_;
  std::vector<std::string> warnings_;
  bool checked_ = false;
};

// Answers. `json` is JSON text.
http::Reply Json(std::string json, int status = 200);
// One page of a list; a header says how many there are on all of them.
http::Reply JsonPage(std::string json, std::size_t total);
http::Reply Empty(int status = 204);
http::Reply AcceptedReply(std::string_view message);
http::Reply ErrorReply(const Error& error);
// With a status that no code stands for.
http::Reply ErrorReply(const Error& error, int status);
int StatusOf(Code code);

// A change and its answer: `change(txn)` gives a Result<T>, `render(T)` the reply.
template <class Change, class Render>
Answer Commit(Change change, Render render) {
  using T = typename std::invoke_result_t<Change&, control::Txn&>::value_type;
  if constexpr (std::is_void_v<T>) {
    return Pending{std::move(change), std::move(render)};
  } else {
    auto slot = std::make_shared<std::optional<T>>();
    return Pending{[slot, change = std::move(change)](control::Txn& txn) mutable -> Status {
                     auto result = change(txn);
                     if (!result) return std::unexpected(std::move(result).error());
                     slot->emplace(*std::move(result));
                     return {};
                   },
                   [slot, render = std::move(render)]() mutable { return render(**slot); }};
  }
}

}  // namespace yard::serve
