// Routes as data: method, path, the permission it needs, what it takes and gives, its handler.
//
// The table of all routes is what the server serves, what /openapi.json describes and what the
// authorisation tests walk, so none of the three can miss a route.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "control/service.h"
#include "http/http.h"
#include "model/access.h"

namespace yard::serve {

class Call;

// What a caller must be allowed to do. Every route states one.
struct Need {
  enum class Kind { kPublic, kSignedIn, kPermission, kByKind };
  Kind kind = Kind::kPermission;
  Resource resource = Resource::kTenant;
  Action action = Action::kRead;
};
// Anybody, also without credentials.
constexpr Need Public() {
  return {.kind = Need::Kind::kPublic};
}
// Anybody who is signed in; the answer is about the caller only.
constexpr Need SignedIn() {
  return {.kind = Need::Kind::kSignedIn};
}
constexpr Need May(Action action, Resource resource) {
  return {.kind = Need::Kind::kPermission, .resource = resource, .action = action};
}

// The permission on the kind of work that the request turns out to be about: workspaces (which
// stand here for all), trainings or inferences.
constexpr Need MayByKind(Action action) {
  return {.kind = Need::Kind::kByKind, .resource = Resource::kWorkspaces, .action = action};
}
// Whether the handler must check where the caller may do it.
constexpr bool NeedsCheck(const Need& need) {
  return need.kind == Need::Kind::kPermission || need.kind == Need::Kind::kByKind;
}

// A change to be made by the reactor. `render` makes the answer once it is durable; it runs on
// the reactor thread and must only assemble what `command` left for it.
struct Pending {
  control::Command command;
  std::move_only_function<http::Reply()> render;
  // For a change that is only the record of the answer, such as a sign-in: the answer if it could
  // not be stored. Nothing: there is none without the record.
  std::move_only_function<std::optional<http::Reply>()> unstored = {};
};

// An answer that comes later from elsewhere; must call respond exactly once.
struct Later {
  std::move_only_function<void(http::Respond)> start;
};

// Work too slow for an I/O thread, such as hashing a password or reading the journal. It runs on
// the server's worker, and what it gives is settled as if the handler had given it. Passwords,
// identity providers, engines and the content of data sets have threads of their own: none of them
// waits for another.
struct Slow {
  using Outcome = std::variant<http::Reply, Pending, Later>;
  enum class Lane { kOwn, kLive, kData, kPassword, kProvider };
  std::move_only_function<Result<Outcome>()> work;
  Lane lane = Lane::kOwn;
};

using Answer = std::variant<http::Reply, Pending, Later, Slow>;

// Runs on an I/O thread and must not block.
using RouteHandler = Result<Answer> (*)(Call& call);

struct QueryParameter {
  std::string_view name;
  std::string_view type;  // schema notation
  bool required = false;
};

// The parameters every list takes.
std::vector<QueryParameter> ListParameters();

struct Route {
  http::Method method;
  std::string_view path;  // "/api/v1/things/{thingId}"
  Need need;
  RouteHandler handler;
  std::string_view summary;
  std::string_view request = "";  // schema notation of the body; empty: none
  std::string_view reply = "";    // schema notation; empty: no body
  int status = 200;               // on success
  std::vector<QueryParameter> query = {};
};

// "GET", "POST", …
std::string_view MethodName(http::Method method);

// Adds its routes to the table; one function per file of handlers.
using RouteGroup = void (*)(std::vector<Route>& routes);

}  // namespace yard::serve
